"""
title: Tensor indexed with a size instead of a dict
description: >
  The settings are the elements of a tensor, and the size, made no larger than the last index, says
  which one holds. The lookup is an operator of the graph.
tags: [torch.dynamic-shape, torch.sym-scalar, torch.buffer]
references: [huggingface/transformers#48907]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factors", torch.tensor([10.0, 10.0, 0.5, 0.25, 0.125, 10.0]))

    def forward(self, x):
        return x * self.factors[torch.sym_min(x.shape[0], 5)]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 5)
