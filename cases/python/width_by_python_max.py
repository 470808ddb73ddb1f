"""
title: Python's max of a tensor of lengths
description: >
  The built-in max goes through the elements of a tensor one by one. Without strict mode,
  torch.export puts its own function in the place of max, which takes two tensors, not one.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [python/width_by_tensor_max]
errors: [E0018]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        return x[:, : max(lengths)].sum(1)


def inputs():
    return torch.randn(3, 7), torch.tensor([4, 2, 5])


def accepts():
    yield torch.randn(3, 7), torch.tensor([7, 1, 3])
    yield torch.randn(3, 7), torch.tensor([0, 0, 0])
    yield torch.randn(3, 7), torch.tensor([-6, -1, -3])
