"""
title: A torch.Size among the outputs
description: >
  The shape of a tensor with one more size is a torch.Size, a tuple of its own class, and forward
  gives it back. A capture whose outputs are a pytree gives a plain tuple of the same numbers.
advice: >
  Write torch.Size(...) around that output where the capture is called: an exported program gives
  plain tuples.
tags: [python.data-structure, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2, x.shape + (3,)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
