"""
title: Gradients through sort, masks, products and overwritten elements
description: >
  An element that is masked, overwritten or not selected gets no gradient; a sorted element gets
  its gradient back at its old index; and the gradient of a product must be right where a factor
  is zero.
tags: [torch.sweep, torch.autograd, torch.scatter]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        ordered, places = x.sort(dim=1)
        chosen = torch.where(mask, x, x.flip(0)), x.masked_fill(mask, 2.0), x.t() @ x
        row = torch.tensor([1, 3, 1, 0])
        written = x.scatter(1, row[:, None], 5.0), x.index_fill(1, row[:2], 0.0), x[row]
        products = x.prod(), x.prod(1), x.cumprod(1), x.amax(1), x.amin(), x.cumsum(1)
        moved = x.roll(1, 1), x.flip(1), torch.cat([x, x * 2], 1)
        return ordered * places, chosen, written, products, moved


def inputs():
    return torch.randn(4, 4, requires_grad=True), torch.eye(4) > 0


def accepts():
    x = torch.tensor([[1.0, 2.0, 2.0, -1.0], [0.0, 3.0, 1.0, 1.0], [4.0, 4.0, 4.0, 4.0]])
    x = torch.cat([x, torch.tensor([[0.0, 0.0, 2.0, -3.0]])])
    yield x.requires_grad_(), torch.ones(4, 4).tril() > 0
