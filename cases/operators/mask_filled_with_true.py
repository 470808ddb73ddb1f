"""
title: torch.full with True
description: >
  torch.full takes the dtype of its value, so the result is a bool mask. In TorchScript it is a
  tensor of integers. The rewrite names the dtype.
tags: [torch.dtype]
rewrites: [operators/mask_filled_with_true_by_dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.full(x.shape, True)


def inputs():
    return torch.randn(5, 3)
