"""
title: Zero times a tensor in place of zero times item()
description: >
  The product is computed by an operator, so NaN and infinity come out of it as NaN.
tags: [torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x[0] + x.sum() * 0.0


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield (torch.cat([torch.ones(1, 3), torch.full((4, 3), float("nan"))]),)
