"""
title: Exception of the program's own class, with else
description: >
  A method raises an exception of its own class for a short input, and forward goes another way;
  else holds what follows where nothing was raised. The class and its field are known while tracing,
  and the size that decides becomes a condition of the capture. The rewrite chooses by torch.cond.
tags: [python.exception, python.control-flow, torch.dynamic-shape, torch.guard]
rewrites: [python/exception_replaced_by_cond]
"""

import torch
from torch.export import Dim


class TooShort(Exception):
    def __init__(self, missing):
        self.missing = missing


class Model(torch.nn.Module):
    def checked(self, x):
        if x.shape[0] < 5:
            raise TooShort(5 - x.shape[0])
        return x

    def forward(self, x):
        try:
            y = self.checked(x)
        except TooShort as error:
            return x.sum(0) * error.missing
        else:
            return y.mean(0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 3)
