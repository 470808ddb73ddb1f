"""
title: Message passing on a graph (GNN layer)
description: >
  Every edge carries the features of its source to its target, where index_add sums them up and
  the degree divides them. Numbers of nodes and edges are dynamic and independent; a graph without
  edges is one too.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)

    def forward(self, x, edges):
        source, target = edges
        message = self.linear(x)[source]
        total = message.new_zeros(x.shape[0], 4).index_add(0, target, message)
        degree = x.new_zeros(x.shape[0]).index_add(0, target, torch.ones_like(message[:, 0]))
        return total / degree.clamp(min=1)[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=32)}, "edges": {1: Dim("m", min=0, max=64)}}


def inputs(n=5, m=7):
    return torch.randn(n, 3), torch.randint(n, (2, m))


def rejects():
    yield torch.randn(5, 3), torch.tensor([[0, 1, 2, 3, 4, 0, 1], [0, 1, 2, 3, 4, 0, 5]])
