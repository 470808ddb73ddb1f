"""
title: torch.cond branches that return different dtypes
description: >
  The dtype of the result would depend on data, and a graph must know it beforehand. In eager mode
  a predicate made from sizes is an ordinary bool, so the program runs. The rewrite converts both
  results to one dtype, which changes the dtype of one side: choose it on purpose.
tags: [torch.cond, torch.dtype, torch.dynamic-shape]
references: [pytorch#156724, pytorch#138926]
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def count(x):
            return (x > 0).sum()

        def total(x):
            return x.sum()

        return torch.cond(x.shape[0] > 4, count, total, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
