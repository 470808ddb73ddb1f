"""
title: Gradient of embeddings through dropout of words and of features
description: >
  In training dropout removes whole words and single features, and scales what is left so that its
  mean stays. The gradient goes back through what was kept, with the same factor; a backward pass
  without the mask or the factor trains every embedding, and by other amounts.
tags: [torch.autograd, torch.random]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1, 2, 18).reshape(6, 3))

    def forward(self, ids):
        words = torch.nn.functional.dropout1d(self.table[ids], 0.4)
        kept = torch.nn.functional.dropout(words, 0.25)
        return kept, kept.square().sum(1)


def inputs():
    return torch.tensor([[0, 3, 1, 5, 2], [4, 2, 0, 1, 3]])
