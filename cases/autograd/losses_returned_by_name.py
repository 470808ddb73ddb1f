"""
title: Losses returned in a dict, of features given in a list and by name
description: >
  Gradients come back from what a dict holds, to tensors in a list and to keyword arguments, and
  through a clamp at its very bounds. Rows of a table count less the more often they are looked up.
tags: [torch.autograd, python.kwargs, python.data-structure]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(5, 3, scale_grad_by_freq=True)
        self.gate = torch.nn.Parameter(torch.tensor([-1.0, 0.25, 1.0]))

    def forward(self, features, *, words, weight):
        first, second = features
        rows = self.table(words) * self.gate.clamp(-1.0, 1.0)
        return {"near": (first * rows).sum(), "far": (second - rows * weight).square().mean()}


def inputs():
    features = [torch.randn(4, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)]
    words, weight = torch.tensor([1, 3, 1, 1]), torch.randn(3, requires_grad=True)
    return (features,), {"words": words, "weight": weight}
