"""
title: AdditionalInputs, dynamic sizes found by comparing examples
description: >
  Further inputs are given beside the example, and every size that differs between them is marked
  dynamic. Sizes that agree in all of them stay constants, so the examples have to differ wherever
  later calls do.
tags: [torch.dynamic-shape, torch.dim-hint]
dims: {n: {min: 2, max: 64}}
"""

import torch
from torch.export import AdditionalInputs


class Model(torch.nn.Module):
    def forward(self, x, weight):
        return x @ weight / x.shape[0]


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3, 4)


examples = AdditionalInputs()
examples.add(inputs(n=9))
dynamic_shapes = examples.dynamic_shapes(Model(), inputs())
