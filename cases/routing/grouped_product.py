"""
title: Mixture of experts, one grouped product (grouped_mm)
description: >
  Tokens are sorted by expert, and one operator multiplies each group of rows with the matrix of its
  expert. The ends of the groups are a tensor, so no size depends on data. On the CPU eager takes
  float32; what answers for the operator while tracing asks for bfloat16. The rewrite converts.
tags: [torch.scatter]
requires: [cpu-kernels, values, torch>=2.10]
rewrites: [routing/grouped_product_in_bfloat16]
tolerance: {rtol: 0.05, atol: 0.05}
allow:
  L052: bfloat16 rounds large numbers by more than the tolerance
references: [huggingface/transformers#48907, microsoft/onnxscript#2795]
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
        products = torch.nn.functional.grouped_mm(x[order], self.experts, offs=ends)
        return torch.empty_like(products).index_copy(0, order, products)


def inputs():
    return torch.randn(6, 8), torch.tensor([2, 0, 1, 2, 0, 1])


def accepts():
    yield torch.randn(6, 8), torch.tensor([1, 1, 1, 1, 1, 1])
