"""
title: Mixture of experts, a loop over all experts with torch.where and index_add_
description: >
  Python goes round once for each expert, which is a fixed number; within a round the tokens of the
  expert are found in the data. An expert without tokens works on empty tensors. The rewrite masks
  instead of selecting.
tags: [torch.scatter, torch.module, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [routing/static_loop_with_mask]
references: [huggingface/transformers#40114, huggingface/transformers#46929]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(4))

    def forward(self, x, scores):
        weights, chosen = scores.softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            (token,) = torch.where(chosen == number)
            out.index_add_(0, token, expert(x[token]) * weights[token, None])
        return out


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "scores": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 4)


def accepts():
    yield torch.randn(6, 3), torch.tensor([0.0, 2.0, 1.0, 0.0]).expand(6, 4).clone()
