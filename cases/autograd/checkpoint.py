"""
title: Activation checkpointing inside forward
description: >
  checkpoint computes a block again in the backward instead of keeping its results. The outputs
  and gradients are those of the plain block.
tags: [torch.autograd, torch.module]
pitfalls: [autograd/checkpoint_reentrant]
train: true
errors: [E0320]
"""

import torch
from torch.utils.checkpoint import checkpoint


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh())

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False)


def inputs():
    return torch.randn(3, 4, requires_grad=True)
