"""
title: hsplit, vsplit, dsplit, dstack, block_diag, tril_indices and cartesian_prod
description: >
  The stacking functions treat vectors differently from matrices, and the splitting ones take a
  count or indices. Pairs and the indices of a triangle have a fixed order.
tags: [torch.sweep]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        n, line = len(x), x[:, 0]
        stacks = torch.hstack([line, y]), torch.vstack([line, y]), torch.column_stack([line, y, x])
        deep = torch.dstack([line, y]), torch.dstack([x, x * 2]), torch.block_diag(x, y)
        parts = (
            torch.hsplit(x, 2),
            torch.hsplit(x, [1, 3]),
            torch.vsplit(x, [2]),
            x.tensor_split(3, 1),
        )
        cubes = torch.dsplit(torch.dstack([x, x * 2]), 2), x.chunk(3, 1), x.unflatten(1, (2, 2))
        corner = torch.tril_indices(4, 4, -1), torch.triu_indices(3, 4, 1)
        pairs = torch.cartesian_prod(line, y[:3]), x.swapaxes(0, 1)
        return stacks, deep, parts, cubes, x[:4, :4].T[tuple(corner[1])], corner, pairs, x.mT * n


def inputs():
    return torch.randn(5, 4), torch.randn(5)
