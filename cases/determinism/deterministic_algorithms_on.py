"""
title: Accumulating index_put with deterministic algorithms on
description: >
  Several values are added at one place. With deterministic algorithms on, torch may choose
  another implementation, and a graph may show other operators. The result is the same up to
  rounding.
tags: [torch.determinism, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.use_deterministic_algorithms(True)

    def forward(self, x, index):
        return torch.zeros(6, 3).index_put((index,), x, accumulate=True)


def inputs():
    return torch.randn(4, 3), torch.tensor([0, 5, 0, 2])


def accepts():
    yield torch.randn(4, 3), torch.tensor([1, 1, 1, 1])
