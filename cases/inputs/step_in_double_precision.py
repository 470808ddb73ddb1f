"""
title: Step size as a Python number beside tensors in double precision
description: >
  0.1 is a Python float of 64 bits and takes part as one. The quotient that is returned is a
  number of that precision too.
tags: [torch.scalar-input, torch.dtype]
tolerance: {rtol: 1.0e-12, atol: 1.0e-12}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, step):
        return x * step, x.cumsum(0) + step / 3, step * 7, (x / step).round(decimals=9)


def inputs():
    return torch.randn(5, dtype=torch.float64), 0.1


def rejects():
    yield torch.randn(5, dtype=torch.float64), 0.7
    yield torch.randn(5, dtype=torch.float64), 1e-7 / 3
