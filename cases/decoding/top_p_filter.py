"""
title: Top-p (nucleus) filter of a vocabulary
description: >
  Sorted by probability, the words before the one at which the running total passes p are kept. The
  decision is put back into the order of the vocabulary with scatter. How many are kept is data, but
  no size depends on it.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits, p):
        ordered, order = logits.softmax(-1).sort(descending=True)
        outside = ordered.cumsum(-1) - ordered > p
        removed = torch.zeros_like(outside).scatter(-1, order, outside)
        return logits.masked_fill(removed, -torch.inf).softmax(-1)


batch, words = Dim("batch", min=1, max=8), Dim("words", min=1, max=64)
dynamic_shapes = {"logits": {0: batch, 1: words}, "p": None}


def inputs(batch=3, words=11):
    return torch.randn(batch, words), torch.tensor(0.7)


def accepts():
    yield torch.randn(3, 11), torch.tensor(0.0)
    yield torch.randn(3, 11), torch.tensor(1.0)
