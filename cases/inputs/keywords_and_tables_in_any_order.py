"""
title: Keyword arguments and dict keys in another order than in the example
description: >
  A value belongs to its name, not to its position. A later call passes its keywords and the keys
  of its dict in another order, passes the first argument by name, and leaves out one that has a
  default.
tags: [python.kwargs, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, table, *, shift, gain=None):
        y = x * table["weight"] - table["bias"]
        return {"y": y + shift, "again": y if gain is None else y * gain}


parts = {"weight": None, "bias": None}
dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "table": parts, "shift": None, "gain": None}


def inputs(n=5):
    table = {"weight": torch.randn(3), "bias": torch.randn(3)}
    return (torch.randn(n, 3), table), {"shift": torch.randn(3), "gain": torch.randn(3)}


def rejects():
    (x, table), given = inputs()
    turned = dict(reversed(table.items()))
    yield (x, turned), dict(reversed(given.items()))
    yield (), {"gain": given["gain"], "table": turned, "shift": given["shift"], "x": x}
    yield (x, table), {"shift": given["shift"]}
