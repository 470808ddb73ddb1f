"""
title: Product with a factor that is detached
description: >
  The factor gets no gradient from the product, since it is detached there, and its own from the
  sum. The rule is in the operators, and a capture that records them records it.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale.detach() + scale


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.rand(4, requires_grad=True)
