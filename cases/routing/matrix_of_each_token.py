"""
title: Mixture of experts, one batched product with the matrix of each token
description: >
  The matrices are indexed with the experts of the tokens, and a batched product multiplies each
  token with its own. Nothing is sorted, counted or cut.
tags: [torch.scatter]
references: [huggingface/transformers#48907]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.Parameter(torch.randn(4, 3, 3))

    def forward(self, x, expert):
        return torch.bmm(x[:, None], self.experts[expert])[:, 0]


def inputs():
    return torch.randn(6, 3), torch.tensor([2, 0, 3, 2, 0, 1])


def accepts():
    yield torch.randn(6, 3), torch.tensor([1, 1, 1, 1, 1, 1])
