"""
title: z[:n] += y with n read from a tensor
description: >
  The first n rows of a buffer are added to, where n is data. Slicing cuts n at the length and
  counts a negative one from the end, and the rows that are added must be as many as the slice has.
tags: [torch.item, torch.unbacked-symbol, torch.mutation, torch.view]
requires: [values]
dims: {k: {min: 0, max: 6}}
rewrites: [data_dependent/assign_to_slice_of_value_checked, data_dependent/add_where_below_value]
narrower:
  data_dependent/assign_to_slice_of_value_checked: a number beyond the length, and a negative one
"""

import torch


class Model(torch.nn.Module):
    def forward(self, z, y, k):
        n = k.item()
        out = z.clone()
        out[:n] += y[:n]
        return out


def inputs(k=4):
    return torch.randn(6, 3), torch.randn(6, 3), torch.tensor(k)


def accepts():
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(-2)
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(20)
