"""
title: dynamic_shapes for **kwargs, a dict under its name
description: >
  The names that forward does not list arrive as one dict, so a dict under the name of **kwargs
  looks like the structure to give. The inputs themselves are taken apart flat, one keyword beside
  the other, and a specification has to fit both views of them. List the names in the signature.
tags: [torch.dynamic-shape, python.kwargs, python.pytree]
rewrites: [dynamic_shapes/specification_of_keyword_arguments]
references: [pytorch#150022, pytorch#164313]
errors: [E0205, E0221]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, **named):
        return x * named["gain"] + named["offset"] * x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "named": {"gain": {0: n}, "offset": {0: n}}}


def inputs(n=5):
    return (torch.randn(n, 3),), {"gain": torch.randn(n, 3), "offset": torch.randn(n, 3)}
