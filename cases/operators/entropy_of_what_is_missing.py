"""
title: Nought times a logarithm where a reading is missing
description: >
  Nought times the logarithm of nought is nought, but of NaN it is NaN: a missing reading must
  not vanish in an entropy because its weight is nought.
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
