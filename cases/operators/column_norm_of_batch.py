"""
title: Largest column sum of each matrix of a batch (matrix_norm of order 1)
description: >
  matrix_norm moves dimensions about and reduces one after the other, and on the way asks for the
  sizes of the batch as plain numbers. The same written as a sum and a maximum keeps them open.
tags: [torch.dynamic-shape, torch.specialization]
rewrites: [operators/column_sums_of_batch]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a):
        return torch.linalg.matrix_norm(a, 1)


dynamic_shapes = {"a": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3, 4),)
