"""
title: Gradient through dropout and random noise
description: >
  The backward pass has to use the same dropout mask and the same noise as the forward pass. If
  they are drawn again, or drawn from another seed, the gradients are those of a different
  network.
tags: [torch.autograd, torch.random]
train: true
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 8)
        self.norm = torch.nn.BatchNorm1d(8)
        torch.nn.init.constant_(self.norm.bias, 0.5)  # no relu at the corner of its slope

    def forward(self, x):
        h = F.dropout(self.norm(self.first(x)).relu(), 0.4)
        h = F.dropout(self.second(h).sigmoid(), 0.4)
        return h * torch.rand_like(h), self.norm(h)


def inputs():
    return torch.randn(6, 4, requires_grad=True)
