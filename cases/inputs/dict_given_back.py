"""
title: Input dict returned as part of the output
description: >
  forward hands the dict of its caller on, as pipelines do that add to it later. The entries are
  inputs and outputs at once: the same tensors in eager, with the same keys in the same order.
tags: [python.data-structure, torch.aliasing, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, state):
        return state["hidden"].relu() + state["step"], state


rows = Dim("rows", min=2, max=16)
dynamic_shapes = ({"hidden": {0: rows}, "step": None},)


def inputs(rows=5):
    return ({"hidden": torch.randn(rows, 3), "step": torch.tensor(2)},)
