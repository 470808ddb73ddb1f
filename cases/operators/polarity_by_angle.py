"""
title: Polarity of a real signal by torch.angle
description: >
  The angle of a real number is 0 where it is positive and pi where it is negative, so that a
  signal which was connected the wrong way round has a phase of pi throughout. A NaN stays one.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal, reference):
        product = signal * reference
        return torch.angle(signal), torch.angle(product.sum(1)) > 3, product.angle().mean(1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"signal": {0: n}, "reference": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
