"""
title: Covariance of columns by a product of matrices
description: >
  The columns without their mean, multiplied with each other and divided by the number of rows less
  one: what cov does, with a divisor that is a size and no value.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        centred = x - x.mean(dim=0)
        return centred.T @ centred / (x.shape[0] - 1)


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
