"""
title: Loss of a classifier as the output
description: >
  forward takes inputs and labels and returns the loss next to the logits, as models do that are
  exported together with their backward. The gradients of the parameters come from the loss.
tags: [torch.autograd, torch.parameter, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x, labels):
        logits = self.linear(x)
        return torch.nn.functional.cross_entropy(logits, labels), logits.detach()


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "labels": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randint(0, 6, (n,))
