"""
title: Weekday of a day, by the remainder of its number
description: >
  Day 1 of the calendar is a Monday, so the remainder of the days since then is the weekday. It is
  arithmetic on a symbol.
tags: [torch.scalar-input, torch.sym-scalar]
dims: {day: {min: 1, max: 900000}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 14).view(7, 2))

    def forward(self, x, day):
        return x + self.table[(day - 1) % 7]


dynamic_shapes = {"x": None, "day": Dim.DYNAMIC}


def inputs(day=739215):
    return torch.randn(3, 2), day
