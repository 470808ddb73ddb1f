"""
title: Inverse functions and repeated operations that do not cancel
description: >
  The square root of a negative number, a logit that was clamped, a clamp within a clamp, a product
  of two divisors that is zero: a simplification that removes two steps looks safe and is not.
tags: [torch.sweep, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, whole):
        undone = x.sqrt().square(), x.logit(0.1).sigmoid(), x.reciprocal().reciprocal() * 1e38
        truths = whole.logical_not().logical_not(), ~whole.logical_not(), (x > 0).logical_not()
        divided = x / torch.tensor(1e-25) / torch.tensor(1e-20) * 1e-25, x // 49.0
        limited = x.relu().clamp(max=1), x.clamp(-1, 1).clamp(min=-2)
        return undone, truths, divided, limited, x.mm(x.t()).relu().mm(x)


def inputs():
    return torch.randn(5, 5), torch.tensor([0, 1, 2, -3])


def accepts():
    x = torch.tensor([49.0, -2.0, 0.0, 1e-20, 98.0]).repeat(5, 1)
    yield x, torch.tensor([5, 0, 0, 7])
    yield torch.full((5, 5), 1e-40), torch.tensor([0, 4, 1, 0])
