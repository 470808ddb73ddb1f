"""
title: raise and except inside forward
description: >
  A method raises for a kind of input it does not know, and forward catches the exception and
  goes another way. What decides is known while tracing, so no exception is left in the graph.
tags: [python.exception, python.control-flow]
allow:
  L063: the size is a constant of the example, and odd
"""

import torch


class Model(torch.nn.Module):
    def half(self, x):
        if x.shape[1] % 2:
            raise ValueError("cannot halve an odd size")
        return x[:, : x.shape[1] // 2]

    def forward(self, x):
        try:
            return self.half(x) + 1
        except ValueError:
            return x + 2


def inputs():
    return (torch.randn(3, 5),)
