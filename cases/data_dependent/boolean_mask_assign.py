"""
title: Assigning through a boolean mask
description: >
  A number assigned through a mask changes no size: it is a masked fill. A tensor assigned through
  it would need one value for each True.
tags: [torch.data-dependent-shape, torch.mutation]
errors: [E0009]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y[y < 0] = 0.0
        return y


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0])


def accepts():
    yield torch.full((5,), -1.0)
    yield torch.ones(5)
