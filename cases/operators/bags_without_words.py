"""
title: Mean over a bag of words that is empty, EmbeddingBag
description: >
  A sentence without known words has an empty bag: two offsets are the same, or all its words are
  the padding. Its mean is zero in EmbeddingBag, not the NaN of zero divided by zero, and so are its sum
  and its greatest.
tags: [torch.operator]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-2, 3, 40).reshape(10, 4).cos() - 2)

    def forward(self, words, starts, lines):
        bags = [F.embedding_bag(words, self.table, starts, mode=m) for m in ("mean", "sum", "max")]
        known = F.embedding_bag(lines, self.table, padding_idx=0)
        return bags, known, F.embedding_bag(lines, self.table, mode="max", padding_idx=0)


def inputs():
    words, starts = torch.tensor([4, 2, 7, 7, 1]), torch.tensor([0, 2, 2, 5])
    return words, starts, torch.tensor([[3, 0, 5], [0, 0, 0]])


def accepts():
    yield (
        torch.tensor([4, 2, 7, 7, 9]),
        torch.tensor([0, 0, 0, 1]),
        torch.tensor([[0, 0, 0], [1, 0, 9]]),
    )
