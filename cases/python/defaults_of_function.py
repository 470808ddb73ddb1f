"""
title: __defaults__ of a function read in forward
description: >
  forward reads the default arguments of a function that it has made. TorchDynamo keeps them as
  they are and not as something traced, and its own assertion fails.
tags: [python.control-flow]
rewrites: [python/defaults_of_function_named]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def scaled(a, factor=2):
            return a * factor

        return scaled(x) + scaled.__defaults__[0]


def inputs():
    return torch.randn(3, 4)
