"""
title: Permutations, slices, reductions and pools in a row that do not merge
description: >
  A permutation applied twice is no way back, a slice of a slice starts elsewhere, the mean and then
  the least is not the least of all, and padding with zeros counts where all else is negative.
tags: [torch.sweep, torch.decomposition]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, cube):
        turned = cube.permute(1, 2, 0).permute(1, 2, 0), cube.transpose(0, 1).transpose(1, 2)
        sliced = x[1::2][1:], x[:, ::3][:, 1:]
        reduced = cube.sum(0).amax(), cube.amax(1).sum(1), cube.mean(2).amin()
        return turned, sliced, reduced, F.max_pool2d(F.pad(cube[None], (1, 1, 1, 1)), 2)


def inputs():
    return torch.randn(5, 5), torch.randn(3, 3, 3)


def accepts():
    yield torch.randn(5, 5), -torch.rand(3, 3, 3) - 1
    yield torch.randn(5, 5), torch.arange(27.0).reshape(3, 3, 3)
