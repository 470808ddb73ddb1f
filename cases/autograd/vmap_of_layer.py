"""
title: torch.vmap over a layer of the module
description: >
  The layer is written for one row and mapped over the batch. TorchDynamo asks gradients of the
  layer's parameters inside of the transform, which is not allowed there. The rewrite calls the
  layer with the whole batch.
tags: [torch.functional-transform, torch.parameter]
rewrites: [autograd/layer_of_batch]
errors: [E0427]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x):
        return torch.vmap(self.layer)(x)


def inputs():
    return torch.randn(3, 4)
