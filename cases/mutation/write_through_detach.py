"""
title: detach() followed by an in-place operation
description: >
  detach gives a tensor on the same memory that gradients do not see. Adding to it changes the
  activation itself, so what is computed afterwards uses the changed numbers.
tags: [torch.mutation, torch.aliasing, torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.detach().add_(5)
        return y + 1


def inputs():
    return torch.randn(3, 4)
