"""
title: int argument left at its default in the example
description: >
  The example does not give the number of repetitions, so it is no input: the default is a
  constant of the capture, and a later call that gives the argument has one input too many. Give it in the
  example if callers will.
tags: [torch.scalar-input, python.kwargs, torch.specialization]
rewrites: [dynamic_shapes/int_input_given_for_default]
errors: [E0203]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, times: int = 3):
        return x.repeat(times) * times


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n),)


def accepts():
    yield torch.randn(5), 3
    yield torch.randn(5), 4
