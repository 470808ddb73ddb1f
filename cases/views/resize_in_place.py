"""
title: resize_ of an intermediate tensor
description: >
  resize_ changes the shape of a tensor where it lies. Growing leaves new elements undefined, so
  here it shrinks, and the first elements stay.
tags: [torch.mutation, torch.view]
rewrites: [views/front_of_flattened]
errors: [E0616]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.resize_(2, 3)
        return y + 1


def inputs():
    return torch.randn(4, 5)
