"""
title: Dim.AUTO on a string input
description: >
  Every input got Dim.AUTO, the string that names the padding too. A hint stands for a size or an
  int; a string has neither and can only be a constant, with None in its place.
tags: [torch.scalar-input, torch.dim-hint]
dims: {n: {min: 3, max: 16}}
rewrites: [dynamic_shapes/string_input_without_hint]
errors: [E0106]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mode: str):
        return torch.nn.functional.pad(x, (2, 2), mode=mode) * x.shape[1]


dynamic_shapes = {"x": {1: Dim.AUTO}, "mode": Dim.AUTO}


def inputs(n=5):
    return torch.randn(4, n), "reflect"


def rejects():
    yield torch.randn(4, 5), "circular"
