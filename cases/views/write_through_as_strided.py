"""
title: Writing to the diagonal through as_strided
description: >
  The diagonal of a square matrix is a strided view of its memory. A write to the view has to reach
  the matrix, also when the capture has no views left.
tags: [torch.view, torch.stride, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.as_strided((5,), (6,)).add_(100)
        return y


def inputs():
    return torch.randn(5, 5)
