"""
title: associative_scan from the last row to the first
description: >
  With reverse=True each result combines its row with all later ones, here as matrix products,
  whose order matters.
tags: [torch.associative-scan]
"""

import torch
from torch._higher_order_ops import associative_scan


class Model(torch.nn.Module):
    def forward(self, xs):
        return associative_scan(torch.matmul, xs, dim=0, reverse=True, combine_mode="generic")


def inputs():
    return torch.randn(5, 3, 3)
