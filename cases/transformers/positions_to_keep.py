"""
title: Logits of positions that are given as a tensor
description: >
  The caller says which positions it wants with a tensor of indices. Their number is a size of an
  input, which may vary like any other, and everything is simply the arange of the length.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, hidden, positions):
        return hidden[:, positions].softmax(-1)


dynamic_shapes = {"hidden": None, "positions": {0: Dim("keep", min=0, max=7)}}


def inputs(keep=3):
    return torch.randn(2, 7, 4), torch.arange(7 - keep, 7)
