"""
title: Centres of pixels by torch.arange with a fractional start, end or step
description: >
  arange(4.5) has five numbers, because the end counts as it is and is not cut to 4; centres of
  pixels start at one half. Whoever takes start, end or step for integers has other centres, or
  fewer of them.
tags: [torch.operator, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, weight):
        row, column = torch.arange(4.5), torch.arange(0.5, 6.25)
        kernel = torch.arange(-1.5, 1.75)
        near = torch.exp(-((column - 3) ** 2))
        return weight * near, row, kernel, torch.arange(2.75, -1.3, -0.5)


def inputs():
    return torch.randn(5, 6)
