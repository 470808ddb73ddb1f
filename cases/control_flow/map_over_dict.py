"""
title: map over a dict of tensors
description: >
  The first argument may be nested: each call gets a dict with one row of each tensor and returns
  a dict, and the results are stacked key by key.
tags: [torch.map, python.pytree, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, pair):
        def body(row):
            return {"dot": (row["a"] * row["b"]).sum(), "sum": row["a"] + row["b"]}

        return map(body, pair)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"pair": {"a": {0: n}, "b": {0: n}}}


def inputs(n=5):
    return ({"a": torch.randn(n, 3), "b": torch.randn(n, 3)},)
