"""
title: Cross entropy with chances for labels, weights of classes and smoothing
description: >
  If the target has a chance for each class, the weights of the classes scale the terms, and the mean is over the rows
  alone, not over the weights as with labels that are numbers of classes.
tags: [torch.operator, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.tensor([0.5, 2.0, 1.0, 3.0]))

    def forward(self, scores, chances):
        mean = F.cross_entropy(scores, chances, self.weight)
        smooth = F.cross_entropy(scores, chances, self.weight, label_smoothing=0.2)
        each = F.cross_entropy(scores, chances, self.weight, reduction="none")
        return mean, smooth, each, F.cross_entropy(scores, chances.argmax(1), self.weight)


dynamic_shapes = {name: {0: Dim("n", min=1, max=16)} for name in ("scores", "chances")}


def inputs(n=5):
    chances = torch.linspace(0, 3, n * 4).reshape(n, 4).sin().abs() + 0.1
    return torch.linspace(-2, 2, n * 4).reshape(n, 4), chances / chances.sum(1, keepdim=True)
