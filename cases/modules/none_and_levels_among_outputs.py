"""
title: Outputs with None, a tuple of one tensor, and a dict with int keys
description: >
  What is not computed is None, a single result is in a tuple, and the levels of a pyramid are in
  a dict by their number. Callers that read results by position or key need all of them.
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
