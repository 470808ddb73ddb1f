"""
title: torch function in place of a NumPy one
description: >
  Nearly every NumPy function on arrays has a twin in torch; with it the tensor never leaves what
  the tracer can see.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.clip(-1, 1) + 1


def inputs():
    return (torch.randn(3, 4),)
