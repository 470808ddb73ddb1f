"""
title: Early return when all sequences have finished
description: >
  If every row has said the end token, the model returns without computing anything. Whether it did
  is data, and Python has to know. The rewrite always computes the token and lets a mask put the end
  token where a row has finished.
tags: [python.control-flow, torch.item]
requires: [values]
rewrites: [decoding/finished_rows_masked]
pitfalls: [data_dependent/branch_on_item]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Parameter(torch.randn(4, 5))

    def forward(self, ids, hidden):
        finished = (ids == 0).any(-1)
        if finished.all():
            return torch.zeros_like(finished, dtype=torch.int64)
        token = (hidden @ self.words).argmax(-1)
        return token.masked_fill(finished, 0)


def inputs():
    return torch.tensor([[2, 4, 1], [3, 0, 0]]), torch.randn(2, 4)


def accepts():
    yield torch.tensor([[2, 0, 0], [3, 4, 0]]), torch.randn(2, 4)
    yield torch.tensor([[2, 3, 1], [3, 4, 1]]), torch.randn(2, 4)
