"""
title: Number of rows to keep, as a count or as a share
description: >
  A whole number is a count, one with a fraction a share of all, so the type of the number
  decides. A capture made with a count must refuse a share or compute it.
tags: [torch.scalar-input, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, keep):
        count = keep if isinstance(keep, int) else round(keep * x.shape[0])
        return x[:count] * 2


def inputs():
    return torch.randn(6, 2), 1


def rejects():
    yield torch.randn(6, 2), 1.0
    yield torch.randn(6, 2), 0.5
    yield torch.randn(6, 2), 4
