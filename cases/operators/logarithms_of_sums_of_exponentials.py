"""
title: Logarithm of a mean of exponentials, or of one more than their sum
description: >
  logsumexp adds, so the logarithm of the mean is less by that of the count, one more in the sum
  makes it a softplus, and a sum over another dimension is another number. A difference of two may
  be of unlike signs.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        total = x.exp().sum(1).log(), x.exp().mean(1).log(), (1 + x.exp().sum(1)).log()
        kept = x.exp().sum(0, keepdim=True).log(), x.exp().sum((0, 1)).log(), x.exp().sum(1).log2()
        pair = (x.exp() + y.exp()).log(), (x.exp() * y.exp()).log(), (x.exp() - y.exp()).abs().log()
        soft = (1 + x.exp()).log(), (2 + x.exp()).log(), (1 + (-x.abs()).exp()).log() + x.relu()
        shares = x - x.logsumexp(0), x.logsumexp(1) - y.logsumexp(1)
        return total, kept, pair, soft, shares


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
