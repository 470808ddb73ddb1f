"""
title: Number that is True, 1 or 1.0
description: >
  True, 1 and 1.0 are equal and hash alike in Python, but are not the same to this program. A
  capture made with one of them may not stand for another.
tags: [torch.scalar-input, python.builtin]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        if isinstance(scale, bool):
            return x if scale else -x
        if isinstance(scale, int):
            return x * scale * 10
        return x.double() * scale + 1


def inputs():
    return torch.randn(3), True


def rejects():
    yield torch.randn(3), 1
    yield torch.randn(3), 1.0
    yield torch.randn(3), 0
    yield torch.randn(3), False
