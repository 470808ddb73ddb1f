"""
title: xlogy and entr where a value is NaN or zero
description: >
  Zero times the logarithm of zero is defined as zero, but zero times the logarithm of NaN is NaN:
  a missing value must not vanish from an entropy because its weight is zero.
tags: [torch.operator]
"""

import torch
from torch import special


class Model(torch.nn.Module):
    def forward(self, weight, x):
        terms = special.xlogy(weight, x), special.xlog1py(weight, x - 1)
        return *terms, special.xlogy(0.0, x), special.xlogy(weight, 2), special.entr(weight)


def inputs():
    return torch.tensor([0.0, 0.0, 0.5, 1.0]), torch.tensor([0.0, float("nan"), 0.25, 3.0])


def accepts():
    yield torch.tensor([0.0, 0.0, 0.0, 2.0]), torch.tensor([float("nan"), 0.0, -1.0, 0.0])
