"""
title: torch.where instead of a data-dependent if
description: >
  When both branches are cheap, have no side effects and give the same shape, compute both and let
  torch.where pick. There is no control flow left that a tracer could lose.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x.sin(), x.cos())


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 1,)
    yield (-torch.rand(3, 4),)
    yield (torch.zeros(3, 4),)
