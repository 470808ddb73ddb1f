"""
title: Conversions to bfloat16 written out in place of autocast
description: >
  What autocast does to a layer, said by the program: input, weight and bias are converted, the
  product is in bfloat16, and nothing depends on a mode that a capture has to keep.
tags: [torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x):
        weight, bias = self.layer.weight.bfloat16(), self.layer.bias.bfloat16()
        low = torch.nn.functional.linear(x.bfloat16(), weight, bias)
        return low.float().softmax(-1)


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=32)}}


def inputs(batch=5):
    return torch.randn(batch, 3)
