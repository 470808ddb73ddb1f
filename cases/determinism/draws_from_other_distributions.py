"""
title: 'Random numbers: exponential_, geometric_, cauchy_, log_normal_ and alpha dropout'
description: >
  Each distribution has arguments of its own and draws from the same generator. A capture that
  leaves an argument at its default draws other numbers from the same seed. Alpha dropout sets
  what it drops to a value other than zero, to keep mean and variance.
tags: [torch.sweep, torch.random]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        new = torch.empty_like
        waits = new(x).exponential_(2.5), new(x).geometric_(0.3), torch.poisson(x.exp())
        wide = new(x).cauchy_(1.0, 0.5), new(x).log_normal_(0.5, 0.25), new(x).uniform_(-2, 3)
        around = (
            torch.normal(x, x.abs() + 0.1),
            torch.normal(2.0, x.abs()),
            new(x).normal_(3.0, 0.2),
        )
        chosen = torch.randperm(6), torch.multinomial(x.exp(), 3), torch.bernoulli(x.sigmoid())
        double = torch.rand(3, dtype=torch.float64), torch.randint(-5, 9, (4,)), torch.randn_like(x)
        left = F.alpha_dropout(x, 0.5, True), F.feature_alpha_dropout(x[None], 0.5, True)
        slopes = F.rrelu(x, 0.1, 0.5, True), F.dropout1d(x[None], 0.4, True)
        return waits, wide, around, chosen, double, left, slopes


def inputs():
    return (torch.randn(4, 6),)
