"""
title: Argument with a default, passed by position in a later call
description: >
  The example leaves the scale at its default, a later call passes it as a second positional
  argument. That has to be refused or computed; an argument that is silently ignored gives wrong
  numbers.
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
