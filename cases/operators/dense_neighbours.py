"""
title: Matrix with many zeros multiplied as it is
description: >
  A dense product computes the zeros too. Every size is known before the data is.
tags: [torch.sparse]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, adjacency, x):
        return adjacency @ x + 1


def inputs():
    return torch.tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0], [0.0, 0.0, 0.5]]), torch.randn(3, 4)


def accepts():
    yield torch.eye(3), torch.randn(3, 4)
    yield torch.zeros(3, 3), torch.randn(3, 4)
    yield torch.full((3, 3), 0.5), torch.randn(3, 4)
