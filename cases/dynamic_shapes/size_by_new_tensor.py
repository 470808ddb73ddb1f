"""
title: x.new_tensor of a dynamic size
description: >
  The usual way to put a count on the device and in the dtype of an input. Without strict the
  method reads the size as a number, which makes it a constant; new_full is traced with it.
tags: [torch.dynamic-shape, torch.specialization]
rewrites: [dynamic_shapes/size_by_new_full]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / x.new_tensor(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
