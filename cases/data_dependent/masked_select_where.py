"""
title: torch.where in place of masked_select
description: >
  Elements that are not selected become zero and leave the sum as it is. Every size is known while
  tracing.
tags: [torch.data-dependent-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.where(x > 0, x, 0.0).sum()


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0])


def accepts():
    yield torch.full((5,), -1.0)
    yield torch.tensor([-1.0, -2.0, 3.0, -4.0, -5.0])
    yield torch.ones(5)
