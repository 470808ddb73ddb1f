"""
title: Default argument kept in a variable
description: >
  The default is a variable beside the function and is read from there, so nobody has to ask the
  function for it.
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
