"""
title: Two dynamic sizes that are equal in the example
description: >
  Two inputs happen to be equally long in the example. A tracer that gives equal sizes one symbol
  takes them to be equal for ever, although the two Dims say that they vary on their own.
tags: [torch.dynamic-shape, torch.specialization, torch.shared-dim]
allow:
  L055: the case is about this collision
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x[:, None] * y.shape[0] + y[None, :] * x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=5):
    return torch.randn(n), torch.randn(m)
