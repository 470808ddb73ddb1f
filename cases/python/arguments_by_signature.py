"""
title: Keyword arguments chosen by inspect.signature
description: >
  A helper is given just those keywords that its signature names, a habit of configurable libraries.
  The signature is that of a plain function and known while tracing.
tags: [python.builtin]
"""

import inspect

import torch
from torch.export import Dim


def shifted(x, by=0.0, times=1.0):
    return x * times + by


class Model(torch.nn.Module):
    def forward(self, x):
        options = {"by": 2.0, "times": x.shape[0], "unknown": 5}
        known = inspect.signature(shifted).parameters
        return shifted(x, **{k: v for k, v in options.items() if k in known})


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
