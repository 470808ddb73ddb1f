"""
title: torch.func.vjp inside forward
description: >
  vjp returns the value and a function that takes a gradient back. That function holds the graph
  of the inner derivative, made of wrapped tensors; a capture that takes them for constants
  ignores its input. torch.autograd.grad with grad_outputs computes the same
  as long as the caller has not turned gradients off.
tags: [torch.autograd, torch.functional-transform]
requires: [backward]
rewrites: [autograd/grad_outputs]
pitfalls: [autograd/func_grad]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        value, pull_back = torch.func.vjp(torch.sin, x)
        (gradient,) = pull_back(weight)
        return value, gradient


def inputs():
    return torch.randn(4), torch.randn(4)
