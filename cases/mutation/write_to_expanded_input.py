"""
title: In-place operation on an input whose elements share memory
description: >
  Eager refuses to write in place to an expanded tensor, because one place in memory would be
  written several times. With ordinary tensors it works.
tags: [torch.aliasing, torch.stride, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.add_(1)
        return x * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()


def rejects():
    yield torch.randn(1, 4).expand(3, 4)
