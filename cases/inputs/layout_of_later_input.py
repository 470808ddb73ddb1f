"""
title: if on whether the input is contiguous
description: >
  The example is contiguous, and the branch for it is the only one in the graph. Strides of later
  inputs are not asked for. Eager takes the other branch for a transposed input. With
  x.contiguous() before it there is nothing to ask.
advice: >
  Call x.contiguous() before the question where the result need not depend on the layout; else
  export once for each layout.
tags: [torch.stride, torch.specialization, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.is_contiguous():
            return x + 1
        else:
            return x - 1


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.randn(4, 3).t(),)
