"""
title: repeat_interleave with counts from a tensor
description: >
  Each row is repeated as often as a tensor says, and the length of the result is the sum of the
  counts. Passing output_size gives that length a name that the program can check.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, counts):
        return torch.repeat_interleave(x, counts, dim=0)


def inputs():
    return torch.randn(3, 2), torch.tensor([2, 0, 3])


def accepts():
    yield torch.randn(3, 2), torch.tensor([0, 0, 0])
    yield torch.randn(3, 2), torch.tensor([0, 1, 0])


def rejects():
    yield torch.randn(3, 2), torch.tensor([2, -1, 3])
