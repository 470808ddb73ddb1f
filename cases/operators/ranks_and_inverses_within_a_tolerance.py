"""
title: Rank and pseudo-inverse with a tolerance, Vandermonde matrices, factors of every size
description: >
  What is small enough to count as zero can be said absolutely or relative to the largest singular
  value; a matrix said to be Hermitian is read from one triangle. Singular vectors may be as many
  as rows.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        gram = x.mT @ x + torch.diag(torch.tensor([4.0, 0.2, 1e-4]))
        ranks = torch.linalg.matrix_rank(gram, atol=0.5), torch.linalg.matrix_rank(gram, rtol=0.9)
        tilted = gram + torch.triu(torch.ones(3, 3), 1)
        lower = torch.linalg.matrix_rank(tilted, atol=0.1, hermitian=True)
        inverse = torch.linalg.pinv(gram, rtol=0.3), torch.linalg.pinv(gram, atol=0.5)
        sizes = torch.linalg.eigvalsh(tilted, "U"), torch.linalg.eigvalsh(tilted, "L")
        powers = torch.vander(x[0, 0]), torch.linalg.vander(x[:, 0], N=2)
        left, values, right = torch.linalg.svd(x, full_matrices=True)
        rebuilt = left[..., :3] @ (values[..., None] * right), left @ left.mT
        return ranks, lower, inverse, sizes, powers, values, rebuilt


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 4, 3) * 0.1,)
