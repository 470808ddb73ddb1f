"""
title: A sum multiplied by zero before anything is read out of it
description: >
  The product is an operator's, so NaN and infinity come out of it as NaN.
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
