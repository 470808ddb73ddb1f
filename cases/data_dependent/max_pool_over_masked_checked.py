"""
title: Pooling over masked elements, with their least number checked
description: >
  torch._check says that at least one window fits, which answers the first question of the pooling.
  The next one is how many windows there are, and that no check answers.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.check]
requires: [values]
rewrites: [data_dependent/windows_of_masked]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        chosen = x[:, mask]
        torch._check(chosen.shape[1] >= 3)
        return torch.nn.functional.max_pool1d(chosen, 3, stride=2)


def inputs():
    return torch.randn(2, 9), torch.tensor([1, 0, 1, 1, 1, 0, 1, 1, 1]) == 1


def accepts():
    yield torch.randn(2, 9), torch.arange(9) < 3
    yield torch.randn(2, 9), torch.arange(9) < 4
    yield torch.randn(2, 9), torch.ones(9, dtype=torch.bool)


def rejects():
    yield torch.randn(2, 9), torch.arange(9) < 2
    yield torch.randn(2, 9), torch.zeros(9, dtype=torch.bool)
