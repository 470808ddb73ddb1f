"""
title: dynamic_shapes that leaves out an input
description: >
  As a dict, dynamic_shapes has to name every input, with None for those whose sizes do not vary.
  Here the second is missing, and the specification does not fit the inputs.
tags: [torch.dynamic-shape, python.pytree]
references: [pytorch#148564]
rewrites: [dynamic_shapes/specification_of_every_input]
errors: [E0105]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
