"""
title: Tensor read between two in-place writes
description: >
  A read between two writes sees what the first one left, so equal expressions on both sides of a
  write are two different ones, and writes keep their order even where nobody uses what they
  return.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        kept = x.clone()
        kept.fill_(2)
        first = x + kept
        kept.zero_()
        second = x + kept
        kept.copy_(x * 3)
        part = kept[:, 0]
        part.add_(1)
        kept.mul_(2)
        kept.sub_(x)
        third = x + kept
        kept.clamp_(min=0)
        return first, second, third, part + 0, kept


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
