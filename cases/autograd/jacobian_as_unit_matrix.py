"""
title: Jacobian of the identity as a unit matrix
description: >
  The derivative of a value with respect to itself is known without any transform, and torch.eye
  is an operator like all others.
tags: [torch.autograd, torch.functional-transform]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.eye(x.shape[0], dtype=x.dtype)


def inputs():
    return torch.randn(3)
