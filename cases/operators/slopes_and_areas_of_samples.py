"""
title: torch.gradient and torch.trapezoid with spacing
description: >
  torch.gradient takes differences of both neighbours inside, and of first or second order at the
  edges; spacing is a number or the coordinates themselves. The area under samples takes either
  too.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, y, x):
        plain = torch.gradient(y)
        spaced = torch.gradient(y, spacing=(2.0, 0.5), dim=(1, 0), edge_order=2)
        (placed,) = torch.gradient(y, spacing=(x,), dim=1)
        areas = torch.trapezoid(y, x), torch.trapezoid(y, dx=0.25, dim=0)
        sums = torch.cumulative_trapezoid(y, x, dim=1), torch.cumulative_trapezoid(y, dim=0)
        return plain, spaced, placed, areas, sums


def inputs():
    return torch.randn(5, 6), torch.arange(6) ** 2 / 4
