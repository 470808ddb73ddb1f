"""
title: Activation checkpointing with use_reentrant=True
description: >
  The older kind of checkpoint is an autograd.Function that runs the block under no_grad and again
  in the backward. A tracer of bytecode refuses to follow it. use_reentrant=False does the same
  and is what torch recommends.
tags: [torch.autograd, torch.module]
train: true
rewrites: [autograd/checkpoint]
errors: [E0320]
"""

import torch
from torch.utils.checkpoint import checkpoint


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh())

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=True)


def inputs():
    return torch.randn(3, 4, requires_grad=True)
