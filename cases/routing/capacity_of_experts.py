"""
title: Mixture of experts with a capacity, tokens in excess dropped
description: >
  Each expert takes at most half as many tokens as there are. A running count numbers the tokens of
  an expert, those beyond the capacity count as zero, and the rest is added into a buffer whose
  size is computed from the number of tokens.
tags: [torch.scatter, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.Parameter(torch.randn(4, 3, 3))

    def forward(self, x, scores):
        expert, capacity = scores.argmax(-1), (x.shape[0] + 1) // 2
        hit = torch.nn.functional.one_hot(expert, 4)
        place = (hit.cumsum(0) * hit).sum(-1) - 1
        kept = place < capacity
        slot = expert, place * kept
        buffer = x.new_zeros(4, capacity, 3)
        buffer = buffer.index_put(slot, x * kept[:, None], accumulate=True)
        y = buffer @ self.experts
        return y[slot] * kept[:, None]


n = Dim("n", min=3, max=16)
dynamic_shapes = {"x": {0: n}, "scores": {0: n}}


def inputs(n=7):
    return torch.randn(n, 3), torch.randn(n, 4)


def accepts():
    yield torch.randn(7, 3), torch.tensor([0.0, 2.0, 1.0, 0.0]).expand(7, 4).clone()
