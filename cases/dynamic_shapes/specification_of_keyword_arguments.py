"""
title: dynamic_shapes for keyword arguments that forward lists
description: >
  Each keyword argument stands in the signature, so each has an entry of its own, by its name and
  in any order. A thin module around one with **kwargs can list them.
tags: [torch.dynamic-shape, python.kwargs]
references: [pytorch#150371]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, *, gain, offset):
        return x * gain + offset * x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "gain": {0: n}, "offset": {0: n}}


def inputs(n=5):
    return (torch.randn(n, 3),), {"gain": torch.randn(n, 3), "offset": torch.randn(n, 3)}
