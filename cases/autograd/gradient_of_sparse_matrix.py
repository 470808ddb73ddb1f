"""
title: Gradient with respect to a sparse matrix (torch.sparse.mm)
description: >
  A graph with weights on its edges is multiplied with the features of its nodes, and both ask for
  gradients. That of the graph has values on its edges alone.
tags: [torch.autograd, torch.sparse]
requires: [sparse, values]
advice: >
  Give indices and values as two dense tensors, gather, and add up with index_add: the gradient is
  then that of the values.
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, graph, x):
        return torch.sparse.mm(graph, x)


def inputs():
    edges = torch.tensor([[0, 1, 2, 2], [1, 0, 1, 2]])
    graph = torch.sparse_coo_tensor(edges, torch.randn(4), (3, 3)).coalesce()
    return graph.requires_grad_(), torch.randn(3, 4, requires_grad=True)
