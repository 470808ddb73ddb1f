"""
title: Outputs with None, a tuple of one, and levels by number
description: >
  What is not computed is None in its place, a single result stands in a tuple, and the levels
  of a pyramid are in a dict by their number. Who takes results apart by place or key needs all
  of them.
tags: [python.data-structure, python.none, python.pytree]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        levels = {3: x * 2, 5: x[::2], 4: x - 1}
        return (
            [x.exp(), None, x.sum()],
            (x + 1,),
            levels,
            (None, [x.abs()], ()),
            {"aux": None},
            levels,
        )


def inputs():
    return torch.randn(4, 3)
