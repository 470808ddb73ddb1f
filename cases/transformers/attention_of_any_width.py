"""
title: Attention whose width varies, and its scale with it
description: >
  Without a scale of its own attention divides by the root of the width of its heads. That is a
  size of the inputs here, and no constant.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x * 0.5, x)


dynamic_shapes = {"x": {2: Dim("width", min=2, max=32)}}


def inputs(width=6):
    return (torch.randn(2, 5, width),)
