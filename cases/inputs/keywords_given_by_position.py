"""
title: Inputs given by keyword in the example and by position later
description: >
  In Python the two calls are the same. A capture remembers how the example was called, and may
  know its inputs only that way.
tags: [python.kwargs]
rewrites: [inputs/inputs_by_position_alone]
narrower: {inputs/inputs_by_position_alone: arguments given by name}
errors: [E0203, E0204]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x - 2 * y


def inputs():
    return {"x": torch.randn(3, 4), "y": torch.randn(3, 4)}


def accepts():
    yield torch.randn(3, 4), torch.randn(3, 4)
    yield (torch.randn(3, 4),), {"y": torch.randn(3, 4)}
