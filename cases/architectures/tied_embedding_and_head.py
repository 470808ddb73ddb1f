"""
title: Embedding and output layer that share one weight
description: >
  head.weight is embedding.weight: one parameter under two names. A step of training inside forward
  would change both; here the shared weight is scaled in place, and both uses have to see it.
tags: [torch.module, torch.parameter, torch.aliasing, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(6, 4)
        self.head = torch.nn.Linear(4, 6, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        hidden = self.embedding(ids).cumsum(1)
        with torch.no_grad():
            self.head.weight.mul_(0.5)
        return self.head(hidden), self.embedding(ids)


def inputs():
    return torch.randint(6, (2, 3))
