"""
title: Covariance of columns (torch.cov)
description: >
  To divide by the number of rows less one, cov asks whether its weights sum up to zero, and gets
  the answer by comparing two tensors: a value that is not there while tracing, even where no
  weights were given.
tags: [torch.item, torch.dynamic-shape]
requires: [values]
rewrites: [operators/covariance_by_product]
references: [pytorch#190669]
errors: [E0003]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cov(x.T)


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
