"""
title: Gradient through associative_scan
description: >
  Running products: each row contributes to its own result and all later ones. The gradients go
  back through the tree of products.
tags: [torch.associative-scan, torch.autograd]
train: true
"""

import torch
from torch._higher_order_ops import associative_scan


class Model(torch.nn.Module):
    def forward(self, xs):
        return associative_scan(torch.mul, xs.tanh(), dim=0, combine_mode="generic")


def inputs():
    return torch.randn(5, 3, requires_grad=True)
