"""
title: torch.hann_window of a dynamic size
description: >
  torch.hann_window takes its length as a plain int, as all window functions of torch do, so a
  dynamic size becomes a constant. The rewrite writes the window down as a formula of arange.
tags: [torch.dynamic-shape, torch.operator]
rewrites: [dynamic_shapes/window_of_size_by_cosine]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.hann_window(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
