"""
title: if on whether two inputs are the same tensor
description: >
  `x is y` is answered with the tensors of the example while tracing, and nothing in the graph
  asks again. Self-attention is written this way: one projection when query and key are one
  tensor. The caller who gives one tensor for both gets the other branch from eager.
advice: >
  Export once for one tensor and once for two, or make it two modules that the caller chooses
  from: a graph has its inputs by position, and no identity.
tags: [python.builtin, torch.aliasing, torch.specialization]
pitfalls: [python/id_comparison]
references: [pytorch#144683]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, query, key):
        if query is key:
            return query * 2
        else:
            return query + key.flip(0)


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    x = torch.randn(3, 4)
    yield x, x
