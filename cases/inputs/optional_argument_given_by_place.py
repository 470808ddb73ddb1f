"""
title: Argument with a default that another call gives by its place
description: >
  The example leaves the scale to its default, another call gives it as a second argument. That is
  to be refused or computed; an argument that is passed over in silence gives wrong numbers.
tags: [torch.scalar-input, python.kwargs]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale=2.0, shift=None):
        y = x * scale
        return y if shift is None else y + shift


def inputs():
    return torch.randn(4, 3)


def rejects():
    yield torch.randn(4, 3), 3.0
    yield torch.randn(4, 3), 2.0, torch.ones(3)
