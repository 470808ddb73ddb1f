"""
title: Dict as input and output
description: >
  A batch is a dict of tensors, and the result is one too. Keys are part of the structure of the
  example; dynamic_shapes mirrors it. The order of the keys may differ from call to call.
tags: [python.data-structure, torch.dynamic-shape]
errors: [E0203]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, batch):
        hidden = batch["x"] - batch["shift"]
        return {"hidden": hidden, "mean": hidden.mean(0)}


dynamic_shapes = {"batch": {"x": {0: Dim("n", min=2, max=16)}, "shift": None}}


def inputs(n=5):
    return ({"x": torch.randn(n, 3), "shift": torch.randn(3)},)


def accepts():
    yield ({"shift": torch.randn(3), "x": torch.randn(7, 3)},)
