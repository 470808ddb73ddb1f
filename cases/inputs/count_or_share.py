"""
title: 'int or float input: rows to keep as a count or as a fraction'
description: >
  An int is a count and a float is a fraction of all rows, so the type of the input decides. A
  capture made with a count must refuse a fraction or compute it.
advice: >
  Turn a fraction into a count in the caller, so that the program takes a count alone.
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
