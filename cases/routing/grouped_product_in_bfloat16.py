"""
title: Mixture of experts, one grouped product in bfloat16
description: >
  The tokens and the matrices of the experts are converted before the grouped product and the result
  is converted back. bfloat16 is the type that every kernel of the operator takes, the one that
  answers while tracing too.
tags: [torch.scatter, torch.dtype]
requires: [torch>=2.10]
tolerance: {rtol: 0.05, atol: 0.05}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.experts = torch.nn.Parameter(torch.randn(3, 8, 8) / 4)

    def forward(self, x, expert):
        order = expert.argsort(stable=True)
        ends = torch.nn.functional.one_hot(expert, 3).sum(0).cumsum(0).int()
        rows, matrices = x[order].bfloat16(), self.experts.bfloat16()
        products = torch.nn.functional.grouped_mm(rows, matrices, offs=ends).to(x.dtype)
        return torch.empty_like(products).index_copy(0, order, products)


def inputs():
    return torch.randn(6, 8), torch.tensor([2, 0, 1, 2, 0, 1])


def accepts():
    yield torch.randn(6, 8), torch.tensor([1, 1, 1, 1, 1, 1])
