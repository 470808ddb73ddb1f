"""
title: Mean brightness of an image in float16
description: >
  A float16 ends at 65,504, which the sum of a thousand pixels exceeds. mean adds up in a wider
  type and rounds the result alone; a sum in float16 that is divided afterwards is infinite.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image):
        each = image.mean((1, 2))
        return each, image.mean(), image.mean(1), image - each[:, None, None]


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.rand(n, 24, 40) * 100 + 150).half()
