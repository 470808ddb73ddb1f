"""
title: Rotary embedding by multiplication with complex numbers
description: >
  Pairs of features are seen as complex numbers and turned by a factor of length one, which
  torch.polar makes from the angle. The tensors in between are complex, a type that some runtimes
  do not have; transformers/rotary_in_real_pairs does the same with real numbers.
tags: [torch.attention, torch.complex, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        angles = torch.outer(torch.arange(x.shape[1]), 0.1 ** torch.arange(3))
        turn = torch.polar(torch.ones_like(angles), angles)
        pairs = torch.view_as_complex(x.unflatten(-1, (3, 2)))
        return torch.view_as_real(pairs * turn).flatten(-2)


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(2, n, 6),)
