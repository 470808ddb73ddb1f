"""
title: chunk of a dynamic size into three
description: >
  chunk(3) gives pieces of one length, rounded up, and so not always three of them: of four
  elements it makes two pairs. The number of pieces is a Python length, fixed while tracing, and
  the guard on it leaves sizes out. Padding to three equal rows always makes three.
tags: [torch.dynamic-shape, torch.guard, python.data-structure]
rewrites: [dynamic_shapes/chunk_of_multiple]
narrower:
  dynamic_shapes/chunk_of_multiple: three elements, and numbers of them that are no multiple of 3
pitfalls: [dynamic_shapes/chunk_of_dynamic_size_auto]
references: [pytorch#134663]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.stack([piece.sum() for piece in x.chunk(3)])


dynamic_shapes = {"x": {0: Dim("n", min=3, max=32)}}


def inputs(n=8):
    return torch.randn(n)
