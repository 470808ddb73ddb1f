"""
title: torch.einsum with an ellipsis for the leading dimensions
description: >
  The ellipsis stands for the batch dimensions, however many there are, and is broadcast between
  the operands: the keys have no dimension for the batch here. Heads and positions are named by
  letters.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, queries, keys):
        scores = torch.einsum("...qhd,...khd->...hqk", queries, keys)
        return torch.einsum("...hqk,...khd->...qhd", scores.softmax(-1), keys)


dynamic_shapes = {"queries": {0: Dim("n", min=2, max=16)}, "keys": {0: Dim("k", min=2, max=16)}}


def inputs(n=7, k=5):
    return torch.randn(n, 6, 2, 3), torch.randn(k, 2, 3)
