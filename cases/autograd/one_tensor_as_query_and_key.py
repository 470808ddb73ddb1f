"""
title: Gradient of one tensor passed as both query and key
description: >
  A block of attention is called with the same tensor for its query and its key. The gradient of
  that tensor is the sum of the gradients of both arguments.
tags: [torch.autograd, torch.attention]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.query, self.key = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)

    def forward(self, query, key):
        weight = (self.query(query) @ self.key(key).mT).softmax(-1)
        return weight @ key


def inputs():
    x = torch.randn(5, 4, requires_grad=True)
    return x, x
