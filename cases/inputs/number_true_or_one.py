"""
title: True, 1 and 1.0 as the same input
description: >
  True, 1 and 1.0 are equal and hash alike in Python, but this program treats them differently. A
  capture made for one of them may not serve the others.
advice: >
  Export once for each type, and let the caller choose by type(): a graph compares its constants
  by ==, for which True, 1 and 1.0 are one.
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
