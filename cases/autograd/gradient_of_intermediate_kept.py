"""
title: Gradient of an intermediate value kept by retain_grad
description: >
  retain_grad asks for the gradient of a value that is no leaf, and a hook on another changes
  what passes. Both are read within forward, after a backward of its own.
advice: >
  Ask torch.autograd.grad for the gradient of the intermediate value, which returns it, and write
  what the hook does in the open: what backward leaves in an attribute is no value of the graph.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, x):
        hidden = self.layer(x).tanh()
        hidden.retain_grad()
        scaled = hidden * 2
        scaled.register_hook(lambda g: g * 0.5)
        (scaled**2).sum().backward(retain_graph=True)
        return hidden * hidden.grad.detach()


def inputs():
    return torch.randn(5, 4)
