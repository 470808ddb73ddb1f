"""
title: int argument with a default, given in the example and dynamic
description: >
  The argument stands in the example and is marked Dim.DYNAMIC, so it is an input of the capture
  like any other. Callers have to give it from then on.
tags: [torch.scalar-input, python.kwargs, torch.dim-hint]
dims: {times: {min: 2, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, times: int = 3):
        return x.repeat(times) * times


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "times": Dim.DYNAMIC}


def inputs(n=5, times=4):
    return torch.randn(n), times
