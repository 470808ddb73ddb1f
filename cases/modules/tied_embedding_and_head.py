"""
title: Output layer that shares its weight with the embedding
description: >
  head.weight is embedding.weight: two names for one parameter. forward rescales it under no_grad
  before it is used, so a capture that gave each name a copy of its own answers differently.
tags: [torch.module, torch.parameter, torch.aliasing, torch.mutation]
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
        with torch.no_grad():
            self.embedding.weight.mul_(0.5)
        return self.head(self.embedding(tokens))


def inputs():
    return torch.tensor([[1, 5, 0], [6, 2, 2]])


def accepts():
    yield torch.tensor([[3, 4, 6], [0, 0, 1]])
