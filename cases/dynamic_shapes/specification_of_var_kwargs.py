"""
title: dynamic_shapes for **kwargs, each name at the top
description: >
  Callers write the keyword arguments beside the others, so their specification is written beside
  the others too. For forward they are one argument, a dict of all names that are not its own, and
  the names at the top fit none of its arguments. List the names in the signature of forward.
tags: [torch.dynamic-shape, python.kwargs, python.pytree]
rewrites: [dynamic_shapes/specification_of_keyword_arguments]
pitfalls: [dynamic_shapes/specification_of_var_kwargs_nested]
references: [pytorch#150371]
errors: [E0105, E0221]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, **named):
        return x * named["gain"] + named["offset"] * x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "gain": {0: n}, "offset": {0: n}}


def inputs(n=5):
    return (torch.randn(n, 3),), {"gain": torch.randn(n, 3), "offset": torch.randn(n, 3)}
