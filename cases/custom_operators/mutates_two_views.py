"""
title: Custom operator that changes two views of one tensor
description: >
  Both arguments that the operator writes into are halves of one copy. A capture that makes writes
  into new tensors has to put both back into the tensor that they are views of.
tags: [torch.operator, torch.mutation, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_mutates_two_views::swap", mutates_args={"a", "b"})
def swap(a: torch.Tensor, b: torch.Tensor) -> None:
    kept = a.clone()
    a.copy_(b)
    b.copy_(kept + 1)


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        swap(y[:, :2], y[:, 2:])
        return y * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
