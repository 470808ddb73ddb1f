"""
title: Crop to the size of another input, columns chosen by a mask
description: >
  Columns beyond the width of the skip connection are set to zero before they are summed. The
  comparison is made by a tensor operation at every call, for whichever of the two is wider.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, skip):
        kept = torch.arange(x.shape[1]) < skip.shape[1]
        return (x * kept).sum(1) * skip.mean()


n, m = Dim("n", min=4, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {1: n}, "skip": {1: m}}


def inputs(n=9, m=5):
    return torch.randn(2, n), torch.randn(2, m)
