"""
title: gather and scatter with an index smaller than the tensors beside it
description: >
  An index may be smaller than the input or the source in the other dimensions: then only the
  corner that it covers is read or written. A kernel that takes all shapes for equal reads the
  source with the wrong row length.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, source, index):
        read = x.gather(0, index), x.gather(1, index), torch.take_along_dim(x, index[:1, :1], 0)
        put = x.scatter(0, index, source), x.scatter_add(1, index, source)
        folded = x.scatter_reduce(0, index, source, "amax")
        mean = x.scatter_reduce(1, index, source, "mean", include_self=False)
        steps = x.slice_scatter(source[:, :2], 1, 0, 4, 2), x.slice_scatter(x[:2], 0, 1, 4, 2)
        return read, put, folded, mean, steps


dynamic_shapes = {"x": None, "source": {1: Dim("m", min=4, max=16)}, "index": None}


def inputs(m=6):
    return torch.randn(5, 4), torch.randn(5, m), torch.tensor([[0, 1, 2], [2, 0, 3]])
