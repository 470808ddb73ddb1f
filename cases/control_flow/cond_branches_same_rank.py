"""
title: torch.cond branches whose results differ only in size
description: >
  keepdim leaves a dimension of size 1 where the other branch has all rows. Both results have two
  dimensions; the size in which they differ becomes a symbol that is known only when the graph
  runs.
tags: [torch.cond, torch.dynamic-shape, torch.unbacked-symbol]
references: [pytorch#138926]
errors: [E0609]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def average(x):
            return x.mean(0, keepdim=True)

        def keep(x):
            return x.clone()

        out = torch.cond(x.shape[0] > 4, average, keep, (x,))
        return out.cos().sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
