"""
title: torch.cond with a dict of tensors as operand and as result
description: >
  Operands and results may be nested: here a dict with a list in it comes in and a dict goes out.
  Both branches have to return the same keys in the same structure.
tags: [torch.cond, python.pytree, python.data-structure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, state):
        def grow(state):
            low, high = state["bounds"]
            return {"x": state["x"] * 2, "bounds": [low - 1, high + 1]}

        def shrink(state):
            low, high = state["bounds"]
            return {"x": state["x"] / 2, "bounds": [low + 1, high - 1]}

        inside = (state["x"] < state["bounds"][1]).all()
        return torch.cond(inside, grow, shrink, (state,))


def inputs():
    return ({"x": torch.rand(3), "bounds": [torch.tensor(-1.0), torch.tensor(2.0)]},)


def accepts():
    for x in (torch.full((3,), 3.0), torch.full((3,), 1.0)):
        yield ({"x": x, "bounds": [torch.tensor(-1.0), torch.tensor(2.0)]},)
