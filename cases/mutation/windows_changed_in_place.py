"""
title: In-place operation on windows from unfold
description: >
  The windows that unfold gives share memory with the tensor, so what is written to them is in the
  tensor. If the size is no multiple of the step, the last elements are in no window and keep
  their values; a capture that writes the windows back as a new tensor has to keep them too.
tags: [torch.mutation, torch.view, torch.dynamic-shape]
references: [pytorch#198102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y.unfold(0, 2, 2).mul_(3)
        return y


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(5, n) + 4
