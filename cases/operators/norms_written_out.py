"""
title: Norms written out with the corrected variance or with eps beside the root
description: >
  LayerNorm divides by the variance without correction and adds eps under the root. Models that
  write a norm out often use torch.var or torch.std as they are, or add eps to the root itself: on
  short and on nearly constant rows these are other numbers.
tags: [torch.operator, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        corrected = centred * (x.var(-1, keepdim=True) + 1e-3).rsqrt()
        beside = centred / (x.std(-1, keepdim=True) + 0.1)
        root = x / ((x * x).mean(-1, keepdim=True).sqrt() + 0.1)
        unit = x / (x.norm(dim=-1, keepdim=True) + 0.01)
        return corrected, beside, root, unit


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)


def accepts():
    yield torch.full((4, 3), 2.0) + 0.01 * torch.eye(4, 3)
    yield torch.zeros(4, 3)
