"""
title: Mixture of experts, tokens sorted by expert and cut by their counts
description: >
  Sorting puts the tokens of each expert side by side; bincount says where each group ends, and
  tolist() brings the counts to Python, which slices. The sizes of the slices are data. The rewrite
  applies the matrix of its expert to each token.
tags: [torch.scatter, torch.item, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [routing/matrix_of_each_token]
pitfalls: [routing/experts_that_were_hit]
references: [huggingface/transformers#48907]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.Parameter(torch.randn(4, 3, 3))

    def forward(self, x, expert):
        order = expert.argsort(stable=True)
        counts = torch.bincount(expert, minlength=4).tolist()
        parts, start = [], 0
        for number, count in enumerate(counts):
            parts.append(x[order[start : start + count]] @ self.experts[number])
            start += count
        return torch.cat(parts)[order.argsort()]


def inputs():
    return torch.randn(6, 3), torch.tensor([2, 0, 3, 2, 0, 1])


def accepts():
    yield torch.randn(6, 3), torch.tensor([1, 1, 1, 1, 1, 1])
    yield torch.randn(6, 3), torch.tensor([3, 0, 0, 3, 3, 3])


def rejects():
    yield torch.randn(6, 3), torch.tensor([2, 0, 5, 2, 0, 1])
