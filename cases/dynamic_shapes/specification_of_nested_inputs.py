"""
title: dynamic_shapes for a list of dicts of tensors
description: >
  The specification has the structure of the inputs: a list where they are a list, a dict with
  the same keys where they are a dict. Each tensor has an entry of its own, and the dims of two
  of them may differ.
tags: [torch.dynamic-shape, python.pytree, python.data-structure]
references: [pytorch#148564]
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
    "layers": [
        {"key": {0: n}, "value": {0: n}},
        {"key": {0: m}, "value": {0: m}},
    ]
}


def inputs(n=5, m=7):
    def layer(size):
        return {"key": torch.randn(size, 3), "value": torch.randn(size, 3)}

    return ([layer(n), layer(m)],)
