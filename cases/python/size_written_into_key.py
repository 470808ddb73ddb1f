"""
title: Dict key made of a dynamic size by an f-string, with a default
description: >
  The key is text made of a size, like "6x4". A dynamic size that is written as text gives the
  name of its symbol, the dict has no such key, and get() silently answers with its default. The
  rewrite chooses with torch.sym_ite.
tags: [torch.dynamic-shape, torch.sym-scalar, python.data-structure]
rewrites: [python/size_chosen_by_sym_ite]
"""

import torch
from torch.export import Dim

SCALES = {"6x4": 2.0}


class Model(torch.nn.Module):
    def forward(self, x):
        height, width = x.shape
        return x * SCALES.get(f"{height}x{width}", 1.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
