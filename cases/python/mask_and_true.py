"""
title: Mask combined with True by &
description: >
  A mask & True is a mask. In TorchScript it is a tensor of integers. The rewrite combines the
  mask with a bool tensor.
tags: [torch.dtype]
rewrites: [python/mask_and_tensor]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) & True


def inputs():
    return torch.randn(5, 3)
