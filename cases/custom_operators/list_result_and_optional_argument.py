"""
title: Custom operator with an optional tensor, an int and a list as result
description: >
  The schema of the operator has Tensor?, int and Tensor[]. It is called with a tensor and with
  None, and the int is a dynamic size, so a capture that writes down the number of the example is
  wrong for every other one.
tags: [torch.operator, torch.fake-kernel, python.none, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_list_result_and_optional_argument::averages", mutates_args=())
def averages(x: torch.Tensor, weight: torch.Tensor | None, rows: int) -> list[torch.Tensor]:
    if weight is not None:
        x = x * weight
    return [x.sum(0) / rows, x / rows]


@averages.register_fake
def _(x, weight, rows):
    return [x.new_empty(x.shape[1]), torch.empty_like(x)]


class Model(torch.nn.Module):
    def forward(self, x, weight):
        mean, parts = averages(x, weight, x.shape[0])
        plain, _ = averages(x, None, x.shape[0] + 1)
        return mean - plain, parts


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "weight": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
