"""
title: Activation checkpointing of a block with keyword arguments and dropout
description: >
  The block takes its mask by name and drops elements at random. The numbers drawn in the forward
  have to be drawn again when the backward runs the block once more.
tags: [torch.autograd, torch.random, python.kwargs]
train: true
errors: [E0320]
"""

import torch
from torch.utils.checkpoint import checkpoint


class Model(torch.nn.Module):
    def forward(self, x, mask):
        def block(x, *, mask):
            return torch.nn.functional.dropout(x.tanh(), 0.5) * mask

        return checkpoint(block, x, mask=mask, use_reentrant=False)


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.rand(4)
