"""
title: autocast block inside a no_grad block
description: >
  Two context managers around the same operators: the inner one computes the product in bfloat16,
  the outer one keeps it out of the gradient. In a graph each becomes a region of its own, one
  within the other.
tags: [torch.autograd, torch.dtype, python.context-manager]
train: true
errors: [E0220]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        with torch.no_grad():
            with torch.autocast("cpu", dtype=torch.bfloat16):
                product = x @ weight
            low = product * 2
        return low, (x @ weight) * low.float()


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.randn(4, 5, requires_grad=True)
