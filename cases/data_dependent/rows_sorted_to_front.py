"""
title: Selected rows moved to the front by a stable sort
description: >
  A stable sort of the mask gives an order in which selected rows come first and keep their own
  order, and the rest are set to zero. The length is that of the input all the way.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(8))

    def forward(self, x, mask):
        order = torch.argsort((~mask).to(torch.int8), stable=True)
        padded = torch.where(mask[:, None], x, 0.0)[order]
        return self.weight @ padded


def inputs():
    return torch.randn(8, 3), torch.tensor([1, 0, 1, 1, 0, 1, 1, 0]) == 1


def accepts():
    yield torch.randn(8, 3), torch.zeros(8, dtype=torch.bool)
    yield torch.randn(8, 3), torch.arange(8) == 6
    yield torch.randn(8, 3), torch.ones(8, dtype=torch.bool)
