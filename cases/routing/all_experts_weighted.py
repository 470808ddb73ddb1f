"""
title: Mixture of experts, every expert on every token
description: >
  A matrix holds the weight of each expert for each token, zero where it was not chosen. All
  experts run on all tokens and the weighted results are added; no size depends on the choice. A
  small bias of each expert keeps equal scores apart.
tags: [torch.scatter, torch.module]
references: [huggingface/transformers#40114]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.Parameter(torch.randn(4, 3, 3))
        self.register_buffer("bias", torch.arange(4) / 10)

    def forward(self, x, scores):
        weights, chosen = (scores + self.bias).softmax(-1).topk(2)
        weight = torch.zeros_like(scores).scatter(1, chosen, weights)
        return torch.einsum("td,edf,te->tf", x, self.experts, weight)


def inputs():
    return torch.randn(5, 3), torch.randn(5, 4)


def accepts():
    yield torch.randn(5, 3), torch.tensor([3.0, 2.0, 1.0, 0.0]).expand(5, 4).clone()
