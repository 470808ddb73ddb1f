"""
title: if on the number of dimensions of an input
description: >
  The rank of a tensor is known while tracing, so the if is decided there and leaves no trace. The
  graph holds for inputs of the example's rank only; eager takes both.
advice: >
  Export once for each rank, or bring the input to one rank before the call: a graph is for one
  number of dimensions.
tags: [python.control-flow, torch.specialization]
errors: [E0123, E0124]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.dim() == 3:
            return x.mean(dim=(1, 2))
        else:
            return x.mean(dim=1)


def inputs():
    return (torch.randn(2, 3, 4),)


def accepts():
    yield (torch.randn(2, 3),)
