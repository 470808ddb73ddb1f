"""
title: Sparse graph of neighbours, scaled and returned
description: >
  The result is sparse as what was given is, with the same places and other values. Who reads
  its indices cannot do with a dense matrix.
tags: [torch.sparse, torch.operator]
requires: [sparse, values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, graph, x):
        return graph * 2, torch.sparse.mm(graph, x), (graph + graph).coalesce()


def inputs():
    dense = torch.tensor([[0.0, 2.0, 0.0], [1.5, 0.0, 0.0], [0.0, -1.0, 3.0]])
    return dense.to_sparse(), torch.randn(3, 4)


def accepts():
    yield torch.eye(3).to_sparse(), torch.randn(3, 4)
