"""
title: The rank of a tensor after unsqueeze_
description: >
  unsqueeze_ gives the tensor itself another dimension, so dim() is 2 afterwards. A tracer that
  remembers the rank of a variable, and does not look again after a call in place, still says 1.
advice: >
  Write y = y.unsqueeze(0), or export with strict=False: of a new tensor TorchDynamo asks for the
  rank.
tags: [torch.mutation, torch.dynamic-shape]
references: [pytorch#185888]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y.unsqueeze_(0)
        return x * y.dim()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
