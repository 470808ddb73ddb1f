"""
title: Ensemble of models by vmap of functional_call
description: >
  The parameters of three layers are stacked, and vmap calls one layer for each slice of them. The
  batch is dynamic; the number of members is not.
tags: [torch.functional-transform, torch.module, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.members = torch.nn.ModuleList(torch.nn.Linear(4, 6) for _ in range(3))

    def forward(self, x):
        stacked = {
            name: torch.stack([m.get_parameter(name) for m in self.members])
            for name in ("weight", "bias")
        }

        def call(parameters, x):
            return torch.func.functional_call(self.members[0], parameters, (x,))

        return torch.vmap(call, in_dims=(0, None))(stacked, x)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
