"""
title: Gradients through repeat, strided slices, windows, casts and determinants
description: >
  An element that is repeated, lies in several overlapping windows or is sliced with a step gets
  the sum of the gradients of all its uses. Triangular parts, variance, atan2 and determinants
  have derivatives of their own, and a cast passes the gradient on.
tags: [torch.sweep, torch.autograd, torch.view]
train: true
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        parts = x[:, ::2], x[1::2] * y[:2], x.diagonal(), x.tril(), x.triu(1), x[:, -1:]
        copies = x.repeat(2, 1), x.repeat_interleave(2, 0), x.tile(2), x[None].expand(3, 4, 4)
        windows = x.unfold(1, 3, 1) * 2, F.pad(x, (1, 2)), x.movedim(0, 1).reshape(2, 8)
        pairs = torch.atan2(x, y), torch.hypot(x, y), torch.maximum(x, y), torch.logaddexp(x, y)
        spread = x.var(1), x.std(), (x**3).norm(dim=1), x.logsumexp(0), x.softmax(1) * y
        square = x @ x.t() + torch.eye(4)
        solved = square.det(), square.logdet(), square.inverse(), (x.half() * 3).float(), x.double()
        attended = F.scaled_dot_product_attention(x[None], y[None], x[None] * y, is_causal=True)
        return parts, copies, windows, pairs, spread, solved, attended


def inputs():
    return torch.randn(4, 4, requires_grad=True), torch.randn(4, 4, requires_grad=True)
