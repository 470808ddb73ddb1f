"""
title: Tensor made on the CPU and moved to the device of the input
description: >
  A table is built on the CPU and moved to where the input is. The graph then names two devices,
  and moving the program elsewhere has to change one of them and not the other.
tags: [torch.device, torch.dynamic-shape]
references: [pytorch#121761, pytorch#151010]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = torch.arange(x.shape[0], device="cpu").flip(0)
        return x + rows.to(x.device)[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
