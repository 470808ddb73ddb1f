"""
title: TypedDict as input and output
description: >
  A TypedDict is a class for a type checker only; what it makes is a plain dict. A capture takes
  it as one, and gives a dict with the same keys back.
tags: [python.data-structure, torch.dynamic-shape]
"""

from typing import TypedDict

import torch
from torch.export import Dim


class Batch(TypedDict):
    tokens: torch.Tensor
    weight: torch.Tensor


class Model(torch.nn.Module):
    def forward(self, batch: Batch) -> Batch:
        return Batch(tokens=batch["tokens"] * 2, weight=batch["weight"].softmax(0))


rows = Dim("rows", min=2, max=16)
dynamic_shapes = ({"tokens": {0: rows}, "weight": {0: rows}},)


def inputs(rows=5):
    return (Batch(tokens=torch.randn(rows, 3), weight=torch.randn(rows)),)
