"""
title: add with alpha, addcmul, addcdiv, lerp and clamp by tensors
description: >
  The factor has a default of one, so a backend that ignores it is right for most programs. clamp
  with a minimum above the maximum gives the maximum.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        sums = torch.add(x, y, alpha=3), torch.sub(x, y, alpha=0.5), torch.rsub(x, y, alpha=2)
        fused = torch.addcmul(x, y, z, value=-2), torch.addcdiv(x, y, z.abs() + 1, value=0.5)
        between = (
            torch.lerp(x, y, 0.3),
            torch.lerp(x, y, z),
            torch.clamp(x, y, z),
            x.clip(0.5, -0.5),
        )
        chosen = torch.where(x > y, z, 2), torch.where(x > 0, 1.0, y), 3 - x, 2 / (x.abs() + 1)
        return sums, fused, between, chosen, x.renorm(2, 0, 1.5), torch.cross(x, y, dim=1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "z": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3)
