"""
title: isin, nonzero_static, max_pool1d and norms with their less used arguments
description: >
  Membership may be inverted, and be asked of values that are all different. Places of what is not
  zero are filled up with a value when there are fewer, and cut off when there are more. A window
  may end beyond the row.
tags: [torch.sweep]
"""

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        known = torch.tensor([-1, 0, 2])
        members = torch.isin(x, known), torch.isin(x, known, invert=True)
        unique = torch.isin(torch.arange(5), known, assume_unique=True)
        places = x.nonzero_static(size=30, fill_value=-2), x.nonzero_static(size=2)
        largest = F.max_pool1d(x.float(), 2, 3, 0, 2, ceil_mode=True, return_indices=True)
        lengths = torch.norm(x.float(), "fro", 1, keepdim=True), torch.norm(x.float(), 3)
        return members, unique, places, largest, lengths


def inputs():
    return torch.randint(-3, 4, (4, 6))
