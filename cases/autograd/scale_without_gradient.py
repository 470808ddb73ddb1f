"""
title: Scale computed from a detached tensor
description: >
  detach() cuts the gradient off where it is asked for, as an operator of the graph. No mode has to
  be switched off and on around it.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        scale = x.detach().abs().max()
        return x / scale


def inputs():
    return torch.randn(3, 4, requires_grad=True)
