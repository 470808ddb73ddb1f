"""
title: Python complex number as an argument, and returned
description: >
  The caller turns a signal by a complex number that is no tensor, and gets it back beside the result.
advice: >
  Pass a complex tensor without dimensions: an exported program takes no complex number of Python's.
tags: [torch.scalar-input, torch.complex]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, turn: complex):
        return x * turn, turn


def inputs():
    return torch.randn(4, dtype=torch.complex64), 0.5 - 2j
