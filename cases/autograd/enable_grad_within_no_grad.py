"""
title: enable_grad block inside a no_grad block
description: >
  Within a block that records no gradients, a smaller one does again. The first factor is a
  constant to the gradient and the second is not; a capture that knows one mode only gets another
  gradient.
tags: [torch.autograd, python.context-manager]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            constant = x * 2
            with torch.enable_grad():
                factor = x.tanh()
        return constant * factor


def inputs():
    return torch.randn(3, 4, requires_grad=True)
