"""
title: Layer, group, batch, instance and RMS norm with trained weights
description: >
  New layers multiply by one and add zero, so weights that get lost on the way show only when they
  have been trained; running statistics too, and an eps that is not the default.
tags: [torch.module, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = torch.nn.ModuleList(
            [
                torch.nn.LayerNorm((4, 6), eps=0.01),
                torch.nn.LayerNorm(6, bias=False),
                torch.nn.GroupNorm(2, 4, eps=0.1),
                torch.nn.BatchNorm1d(4, eps=0.2),
                torch.nn.InstanceNorm1d(4, eps=0.05, affine=True),
                torch.nn.RMSNorm(6, eps=0.02),
            ]
        )
        for name, tensor in self.state_dict().items():
            if "num_batches" not in name:
                tensor.copy_(torch.linspace(0.5, 2, tensor.numel()).view(tensor.shape))

    def forward(self, x):
        return [norm(x) for norm in self.norms]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 6) * 0.3 + 1,)
