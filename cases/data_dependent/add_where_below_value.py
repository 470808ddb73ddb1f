"""
title: Adding only in rows before a position, with torch.where
description: >
  Row numbers are compared with the position, a tensor, and the sum is taken where the comparison
  holds. A negative position counts from the end, as a slice would have it.
tags: [torch.operator]
dims: {k: {min: 0, max: 6}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, z, y, k):
        end = torch.where(k < 0, k + 6, k)
        rows = torch.arange(6, device=z.device)[:, None]
        return torch.where(rows < end, z + y, z)


def inputs(k=4):
    return torch.randn(6, 3), torch.randn(6, 3), torch.tensor(k)


def accepts():
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(-2)
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(20)
