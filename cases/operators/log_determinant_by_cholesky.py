"""
title: Log density of a Gaussian by the diagonal of a Cholesky factor
description: >
  Twice the sum of the logarithms of a triangular factor's diagonal is the log determinant.
  The diagonal of each matrix of a batch is taken along the last two dims, and the solved residuals
  give the rest of the density.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, residuals, factors):
        scaled = factors @ factors.mT + 0.5 * torch.eye(4)
        lower = torch.linalg.cholesky(scaled)
        logdet = 2 * lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        solved = torch.linalg.solve_triangular(lower, residuals.unsqueeze(-1), upper=False)
        return -0.5 * (solved.squeeze(-1).square().sum(-1) + logdet)


batch = Dim("batch", min=2, max=16)
dynamic_shapes = {"residuals": {0: batch}, "factors": {0: batch}}


def inputs(batch=5):
    return torch.randn(batch, 4), torch.randn(batch, 4, 4)
