"""
title: dynamic_shapes names an input by a name that forward does not have
description: >
  As a dict, dynamic_shapes goes by the names of forward's arguments. The name under which the
  tensor is known elsewhere, here as an input of the exported model, fits none of them.
tags: [torch.dynamic-shape, python.kwargs]
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


dynamic_shapes = {"pixels": {0: Dim("n", min=2, max=16)}, "scale": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
