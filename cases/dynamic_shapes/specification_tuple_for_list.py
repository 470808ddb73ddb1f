"""
title: dynamic_shapes has a tuple where the input is a list
description: >
  The layers come as a list, and their specification is a tuple of the same length. A list and a
  tuple are different structures, so the specification does not fit.
tags: [torch.dynamic-shape, python.pytree, python.data-structure]
rewrites: [dynamic_shapes/specification_of_nested_inputs]
references: [pytorch#148564]
errors: [E0205]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, layers):
        out = []
        for layer in layers:
            out.append(layer["key"].sum(0) * layer["value"].shape[0])
        return out


n, m = Dim("n", min=2, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {
    "layers": (
        {"key": {0: n}, "value": {0: n}},
        {"key": {0: m}, "value": {0: m}},
    )
}


def inputs(n=5, m=7):
    def layer(size):
        return {"key": torch.randn(size, 3), "value": torch.randn(size, 3)}

    return ([layer(n), layer(m)],)
