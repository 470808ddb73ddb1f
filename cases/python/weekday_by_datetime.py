"""
title: Weekday of a day, by datetime.date
description: >
  The day is a number among the inputs, and Python's datetime says which weekday it is. datetime
  takes plain ints: a day that is to stay dynamic becomes the constant of the example, or is
  refused. The rewrite takes the remainder.
tags: [python.builtin, torch.scalar-input, torch.specialization]
rewrites: [python/weekday_by_remainder]
dims: {day: {min: 1, max: 900000}}
"""

import datetime

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 14).view(7, 2))

    def forward(self, x, day):
        return x + self.table[datetime.date.fromordinal(day).weekday()]


dynamic_shapes = {"x": None, "day": Dim.DYNAMIC}


def inputs(day=739215):
    return torch.randn(3, 2), day
