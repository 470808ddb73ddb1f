"""
title: no_grad block inside forward
description: >
  The scale is computed under no_grad, so no gradient flows through it. The results of the forward
  are the same with and without the block; only gradients, compared here, show whether a capture
  kept it.
tags: [torch.autograd, python.context-manager]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            scale = x.abs().max()
        return x / scale


def inputs():
    return torch.randn(3, 4, requires_grad=True)
