"""
title: Custom operator with a rule for vmap
description: >
  register_vmap says what the operator does with a batch: here it runs once over all rows. Without
  a rule vmap would not know the operator, and a capture made under vmap has to use the rule.
tags: [torch.operator, torch.functional-transform, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_under_vmap::centred", mutates_args=())
def centred(x: torch.Tensor) -> torch.Tensor:
    return x - x.mean(-1, keepdim=True)


@centred.register_fake
def _(x):
    return torch.empty_like(x)


@centred.register_vmap
def _(info, in_dims, x):
    return centred(x.movedim(in_dims[0], 0)), 0


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.vmap(centred, in_dims=1)(x)


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
