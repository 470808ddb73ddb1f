"""
title: functools.partial, itertools.accumulate and the operator module
description: >
  Python builds the functions and runs the loops while tracing: a partial function with an argument
  filled in, running products of a list of tensors. Only the operators on tensors are left.
tags: [python.builtin, python.closure]
"""

import functools
import itertools
import operator

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.leaky = functools.partial(torch.nn.functional.leaky_relu, negative_slope=0.3)

    def forward(self, x):
        products = itertools.accumulate(self.leaky(x).unbind(1), operator.mul)
        return torch.stack(list(products), dim=1)


def inputs():
    return (torch.randn(3, 4),)
