"""
title: Operators under the names that they have in NumPy
description: >
  Many operators have a second name, so that code for NumPy is easily moved: concatenate for cat, arctan2 for atan2,
  moveaxis for movedim. Some stay operators of their own in the captured graph, and whoever translates the graph
  must know both names, with the same order of the operands.
tags: [torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        angles = torch.arccos(x), torch.arcsin(y), torch.arctan(x), torch.arctan2(x, y)
        more = torch.arccosh(2 + x), torch.arcsinh(y), torch.arctanh(x)
        tests = torch.greater(x, y), torch.greater_equal(x, y), torch.less(x, y)
        rest = torch.less_equal(x, y), torch.not_equal(x, y), torch.absolute(x), torch.negative(y)
        numbers = torch.subtract(x, y, alpha=2), torch.multiply(x, 3), torch.true_divide(x, 4)
        cut = torch.divide(x, y + 3, rounding_mode="floor"), torch.fix(5 * x), torch.clip(x, max=0)
        joined = torch.concatenate([x, y], axis=1), torch.concat([y, x]), torch.row_stack([y, x])
        axes = torch.moveaxis(x[None], 0, 2), torch.swapdims(y, 0, 1), torch.swapaxes(x, 0, 1)
        return angles, more, tests, rest, numbers, cut, joined, axes, torch.ravel(y)


dynamic_shapes = {name: {0: Dim("n", min=1, max=16)} for name in "xy"}


def inputs(n=7):
    x = torch.linspace(-0.9, 0.8, n * 3).reshape(n, 3)
    return x, torch.where(torch.arange(n * 3).reshape(n, 3) % 4 == 1, x, -0.5 * x)
