"""
title: Mixture of experts, a loop over all experts with the weight as a mask
description: >
  Every expert sees all tokens, and its result is multiplied by the weight that the token gave it,
  which is zero for all but one. The loop is unrolled and no size depends on data.
tags: [torch.module, torch.dynamic-shape]
references: [huggingface/transformers#46929]
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
            weight = weights * (chosen == number)
            out = out + expert(x) * weight[:, None]
        return out


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "scores": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 4)


def accepts():
    yield torch.randn(6, 3), torch.tensor([0.0, 2.0, 1.0, 0.0]).expand(6, 4).clone()
