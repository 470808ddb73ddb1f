"""
title: Mixture of experts, a loop over the experts that got a token
description: >
  The experts that any token chose are found with nonzero, and only those are run, each on its own
  tokens. How often the loop goes round, which expert comes next and how many tokens it gets are
  all data. The rewrite runs every expert on every token. A small bias of each expert keeps equal
  scores apart, since topk promises no order of equals.
tags: [torch.scatter, torch.item, torch.data-dependent-shape, python.control-flow]
requires: [values]
rewrites: [routing/all_experts_weighted, routing/weights_of_chosen_experts]
pitfalls: [routing/tokens_sorted_by_expert]
references: [huggingface/transformers#38518]
errors: [E0001, E0002]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.Parameter(torch.randn(4, 3, 3))
        self.register_buffer("bias", torch.arange(4) / 10)

    def forward(self, x, scores):
        weights, chosen = (scores + self.bias).softmax(-1).topk(2)
        hits = torch.nn.functional.one_hot(chosen, 4).sum((0, 1))
        out = torch.zeros_like(x)
        for expert in hits.nonzero().flatten():
            token, place = torch.where(chosen == expert)
            y = x[token] @ self.experts[expert] * weights[token, place, None]
            out.index_add_(0, token, y)
        return out


def inputs():
    return torch.randn(5, 3), torch.randn(5, 4)


def accepts():
    yield torch.randn(5, 3), torch.tensor([3.0, 2.0, 1.0, 0.0]).expand(5, 4).clone()
    yield torch.randn(5, 3), torch.tensor([0.0, 1.0, 2.0, 3.0]).expand(5, 4).clone()
