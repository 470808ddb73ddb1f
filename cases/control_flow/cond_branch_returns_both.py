"""
title: torch.cond branches that return their intermediate result too
description: >
  Each branch returns two tensors, the second of which was only meant for later. Nothing outside
  of the branches is touched.
tags: [torch.cond]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x - x.mean(), x.mean()

        def short(x):
            return x - x.amax(), x.amax()

        out, kept = torch.cond(x.shape[0] > 4, long, short, (x,))
        return out * kept


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
