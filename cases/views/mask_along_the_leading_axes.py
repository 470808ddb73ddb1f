"""
title: Mask that has fewer axes than what it chooses from
description: >
  A mask with one axis chooses rows, one with two axes chooses vectors, and between slices it lies
  along the axis where it stands. Here all axes are of one size, so that no size tells which.
tags: [torch.view, torch.data-dependent-shape]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, rows, places):
        written = x.clone()
        written[:, rows] = 0.0
        return x[rows], x[:, rows], x[places], written, torch.where(rows, x[0], 0.0)


def inputs():
    rows = torch.tensor([True, False, True])
    places = torch.tensor([[True, False, False], [False, False, True], [True, True, False]])
    return torch.randn(3, 3, 3), rows, places
