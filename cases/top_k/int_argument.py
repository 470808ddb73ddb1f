"""
title: topk with k as a Python int input
description: >
  forward takes k as a plain Python int. An int is no tensor, so by default its value while
  tracing becomes a constant of the graph, and another k is met by a constant that does not fit.
  The rewrite marks the int as dynamic; k may also come as the size of a tensor
  (top_k/proxy_tensor_size) or as the value of one (top_k/item_of_input).
tags: [torch.scalar-input, torch.specialization]
rewrites: [top_k/proxy_tensor_size, top_k/int_argument_dynamic]
pitfalls: [dynamic_shapes/int_input_named_dim]
references: [pytorch#104025, pytorch#146990]
errors: [E0103, E0216]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k: int):
        values, _ = torch.topk(x, k)
        return values


def inputs():
    return torch.randn(100), 5


def accepts():
    for k in (0, 1, 2, 50, 100):
        yield torch.randn(100), k


def rejects():
    yield torch.randn(100), -1
    yield torch.randn(100), 101
