"""
title: torch.vmap inside forward
description: >
  A function of one pair of vectors is mapped over a batch of pairs. The batch is dynamic; the
  mapped function never sees it.
tags: [torch.functional-transform, torch.dynamic-shape]
references: [pytorch#153063, pytorch#174063]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        def similarity(a, b):
            return (a * b).sum() / (a.norm() * b.norm())

        return torch.vmap(similarity)(x, y)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)
