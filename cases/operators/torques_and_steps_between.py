"""
title: cross and glu along other dims, lerp beyond its end, round to tens
description: >
  cross and glu have a dim that is not the last, the weight of lerp may be above one or below zero,
  round takes negative decimals, and nextafter goes up or down.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, force, arm, count):
        torque = torch.linalg.cross(force, arm, dim=0), torch.cross(arm, force, dim=1)
        ahead = torch.lerp(force, arm, 1.75), torch.lerp(arm, force, torch.full((3, 3), -0.5))
        tens = (force * 1000).round(decimals=-2), (arm * 100).round(decimals=-1)
        apart = torch.nextafter(count, count + 1) > count, torch.nextafter(count, count * 0) < count
        gates = F.glu(torch.cat([force, arm[:1]]), 0), F.glu(force[None].expand(2, 3, 3), dim=0)
        return torque, ahead, tens, apart, gates


def inputs():
    return torch.randn(3, 3), torch.randn(3, 3), torch.tensor([1000.0, 64.0, 1e6])
