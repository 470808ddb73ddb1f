"""
title: multi_margin_loss of scores that hold a NaN
description: >
  Eager adds a margin only where it compares as larger than zero, which NaN does not: a NaN among the
  scores of the other classes is passed over. The decomposition clamps the margin, and a clamped NaN
  is NaN, so the loss is NaN as well.
tags: [torch.decomposition, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, scores, target):
        return torch.nn.functional.multi_margin_loss(scores, target)


def inputs():
    return torch.tensor([[0.1, 0.7, -0.4], [1.5, 0.2, 0.3]]), torch.tensor([1, 0])


def accepts():
    yield torch.tensor([[float("nan"), 0.7, -0.4], [1.5, 0.2, 0.3]]), torch.tensor([1, 0])
