"""
title: Distance between floats in units of the last place
description: >
  A test of kernels counts how many floats lie between two results: seen as integers, neighbours
  differ by one. nextafter moves by one, not at all where both arguments are equal, and across zero
  to the least subnormal number.
tags: [torch.operator, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        after = torch.nextafter(x, y)
        moved = after.view(torch.int32) - x.view(torch.int32)
        return moved, after == y, (after - x).sign(), torch.nextafter(after, x) == x


def inputs():
    return torch.tensor([1.0, 1.5, -2.0, 0.5, 3.0]), torch.tensor([2.0, 1.5, -3.0, 0.25, 3.0])


def accepts():
    yield torch.tensor([0.0, 1e38, -0.5, 4.0, -1.0]), torch.tensor([1.0, torch.inf, 0.5, 4.0, -1.0])
