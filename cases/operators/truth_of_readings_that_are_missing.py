"""
title: NaN is true and minus zero is false
description: >
  any and all take floating tensors: every number but zero is true, NaN and infinity too. The same holds for bool(),
  logical operators and count_nonzero, and for complex numbers whose real part is zero.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        missing = torch.log(x - 1) * 0
        values = torch.cat([missing, -x * 0, x / 0], 1)
        wave = torch.complex(values * 0, x.repeat(1, 3))
        small = (x > 1).to(torch.uint8)
        answers = torch.any(missing, 1), torch.all(values, 1), torch.any(small, 1), torch.all(small)
        counts = torch.count_nonzero(values, 1), values.bool(), torch.logical_not(missing)
        return answers, counts, torch.logical_and(values, x.repeat(1, 3)), wave.bool(), wave.any(0)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.arange(n * 2).reshape(n, 2) % 4 * 0.5
