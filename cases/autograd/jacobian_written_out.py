"""
title: Jacobian of a layer written out
description: >
  The derivative of tanh is one minus its square, so the Jacobian of the layer is its weight with
  each row scaled. Ordinary operators, nothing to transform.
tags: [torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        y = torch.tanh(weight @ x)
        return (1 - y**2)[:, None] * weight


def inputs():
    return torch.randn(3), torch.randn(4, 3)
