"""
title: Softmax over the edges that reach a node (graph attention)
description: >
  The scores of the edges are normalised for each target: the largest one is found with
  scatter_reduce, and the sum of the exponentials with index_add. A node without edges keeps the
  initial value of the reduction.
tags: [torch.scatter, torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scores, source, target):
        largest = scores.new_full(x.shape[:1], -1e9)
        largest = largest.scatter_reduce(0, target, scores, reduce="amax")
        weight = (scores - largest[target]).exp()
        total = torch.zeros_like(largest).index_add(0, target, weight)
        weight = weight / total[target]
        return torch.zeros_like(x).index_add(0, target, weight[:, None] * x[source])


m = Dim("m", min=1, max=64)
dynamic_shapes = {
    "x": {0: Dim("n", min=1, max=32)},
    "scores": {0: m},
    "source": {0: m},
    "target": {0: m},
}


def inputs(n=5, m=7):
    return torch.randn(n, 3), torch.randn(m), torch.randint(n, (m,)), torch.randint(n, (m,))
