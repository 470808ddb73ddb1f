"""
title: flex_attention with a score function
description: >
  The score of each query and key is changed by a function of their positions: a bias that falls
  with the distance, and a causal mask. The function is a subgraph of the operator; the length of
  the sequence is dynamic.
tags: [torch.operator, python.closure, torch.dynamic-shape]
requires: [values, flex-attention]
"""

import torch
from torch.export import Dim
from torch.nn.attention.flex_attention import flex_attention


class Model(torch.nn.Module):
    def forward(self, query, key, value):
        def score(score, batch, head, i, j):
            return torch.where(i >= j, score - 0.1 * (i - j), -float("inf"))

        return flex_attention(query, key, value, score_mod=score)


length = Dim("length", min=2, max=32)
dynamic_shapes = {"query": {2: length}, "key": {2: length}, "value": {2: length}}


def inputs(length=7):
    return tuple(torch.randn(1, 2, length, 4) for _ in range(3))
