"""
title: Mixture of experts, the matrices of the chosen experts gathered for each token
description: >
  Indexing the stacked experts with the choice gives each token its own two matrices, and one
  batched product applies them. It suits few tokens: the gathered matrices grow with their number.
  A small bias of each expert keeps equal scores apart.
tags: [torch.scatter, torch.dynamic-shape]
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
        y = torch.einsum("td,tkdf->tkf", x, self.experts[chosen])
        return (y * weights[..., None]).sum(1)


def inputs():
    return torch.randn(5, 3), torch.randn(5, 4)


def accepts():
    yield torch.randn(5, 3), torch.tensor([3.0, 2.0, 1.0, 0.0]).expand(5, 4).clone()
