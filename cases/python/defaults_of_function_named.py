"""
title: The default argument of a function as a variable
description: >
  The default is a variable beside the function, and is read there.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        factor = 2

        def scaled(a, factor=factor):
            return a * factor

        return scaled(x) + factor


def inputs():
    return torch.randn(3, 4)
