"""
title: torch.as_tensor of a dynamic size
description: >
  as_tensor copies no data where it need not, so it wants a number and gets it: the size of the
  example. The same goes for asarray and for new_tensor without strict. The rewrite uses
  torch.tensor, which is traced with the size as a symbol.
tags: [torch.dynamic-shape, torch.specialization]
rewrites: [dynamic_shapes/size_by_tensor]
references: [pytorch/pytorch#136642]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / torch.as_tensor(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
