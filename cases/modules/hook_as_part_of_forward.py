"""
title: Work of hooks written into forward
description: >
  What the hooks did before and after stands in forward itself, in the order in which it happens.
tags: [torch.module]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x * 3).relu() - 7


def inputs():
    return torch.randn(5, 4)
