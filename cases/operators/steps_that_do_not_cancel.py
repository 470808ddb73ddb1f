"""
title: Inverse functions and repeated operations that do not cancel
description: >
  The square root of a negative number, a logit that was clamped, a permutation applied twice that
  is no way back, a clamp within a clamp: a simplification that removes two steps looks safe and
  is not.
tags: [torch.operator, torch.decomposition]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, cube, whole):
        undone = x.sqrt().square(), x.logit(0.1).sigmoid(), x.reciprocal().reciprocal() * 1e38
        turned = cube.permute(1, 2, 0).permute(1, 2, 0), cube.transpose(0, 1).transpose(1, 2)
        truths = whole.logical_not().logical_not(), ~whole.logical_not(), (x > 0).logical_not()
        divided = (
            x / torch.tensor(1e-25) / torch.tensor(1e-20) * 1e-25,
            x // 49.0,
            x.relu().clamp(max=1),
        )
        sliced = (
            x[1::2][1:],
            x[:, ::3][:, 1:],
            cube.sum(0).amax(),
            cube.amax(1).sum(1),
            cube.mean(2).amin(),
        )
        pooled = F.max_pool2d(F.pad(cube[None], (1, 1, 1, 1)), 2), x.mm(x.t()).relu().mm(x)
        return undone, turned, truths, divided, sliced, pooled, x.clamp(-1, 1).clamp(min=-2)


def inputs():
    return torch.randn(5, 5), torch.randn(3, 3, 3), torch.tensor([0, 1, 2, -3])


def accepts():
    x = torch.tensor([49.0, -2.0, 0.0, 1e-20, 98.0]).repeat(5, 1)
    yield x, -torch.rand(3, 3, 3) - 1, torch.tensor([5, 0, 0, 7])
    yield torch.full((5, 5), 1e-40), torch.arange(27.0).reshape(3, 3, 3), torch.tensor([0, 4, 1, 0])
