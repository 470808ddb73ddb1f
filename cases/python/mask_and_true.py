"""
title: A mask combined with a constant truth value
description: >
  A mask & True is a mask. In TorchScript it is a tensor of whole numbers. The rewrite combines it
  with a tensor.
tags: [torch.dtype]
rewrites: [python/mask_and_tensor]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) & True


def inputs():
    return torch.randn(5, 3)
