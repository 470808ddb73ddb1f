"""
title: Tied embedding and head that are only read
description: >
  The ordinary form of weight tying: one parameter under two names, both read and neither written.
  Gradients of both uses add up in the one parameter.
tags: [torch.module, torch.parameter, torch.aliasing, torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.embedding = torch.nn.Embedding(7, 4)
        self.head = torch.nn.Linear(4, 7, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.embedding(tokens).relu())


def inputs():
    return torch.tensor([[1, 5, 0], [6, 2, 2]])


def accepts():
    yield torch.tensor([[3, 4, 6], [0, 0, 1]])
