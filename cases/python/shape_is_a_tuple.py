"""
title: isinstance(x.shape, tuple)
description: >
  torch.Size is a subclass of tuple. In TorchScript a shape is a list, and the answer is no.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (3 + int(isinstance(x.shape, tuple)))


def inputs():
    return torch.randn(5, 3)
