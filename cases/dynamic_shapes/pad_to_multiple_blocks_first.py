"""
title: Padding a dynamic size to a multiple, number of blocks first
description: >
  The number of blocks is computed first and the padded length is four times that, so divisibility
  is plain in the expression itself. The range begins at 5: a single block would be a size of 1,
  which tracing treats apart.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
references: [pytorch#144852]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        blocks = (x.shape[0] + 3) // 4
        padded = torch.nn.functional.pad(x, (0, 4 * blocks - x.shape[0]))
        return padded.view(blocks, 4).sum(1)


dynamic_shapes = {"x": {0: Dim("n", min=5, max=32)}}


def inputs(n=10):
    return torch.randn(n)
