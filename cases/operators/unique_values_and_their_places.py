"""
title: unique with counts and inverse, and nonzero
description: >
  How many unique values there are is known only from the data; the index of each value in the
  result, how often it occurs and the order of rows are results of their own.
tags: [torch.operator, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, places, counts = torch.unique(x, return_inverse=True, return_counts=True)
        rows, of_row, often = torch.unique(x, dim=0, return_inverse=True, return_counts=True)
        runs, of_run, long = torch.unique_consecutive(x.flatten(), True, True)
        found = x.nonzero(), torch.argwhere(x > 1), *torch.where(x > 2)
        return values, places, counts, rows, of_row, often, runs, of_run, long, found


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 3).reshape(n, 3) * 7 % 4,)
