"""
title: Linear attention in chunks of four tokens, a state passed from chunk to chunk
description: >
  The sequence is padded to whole chunks; within a chunk scores are computed, and what earlier
  chunks left is in a state. The loop runs as often as the example has chunks. The rewrite has one
  triangle of scores for the whole sequence.
tags: [torch.attention, torch.dynamic-shape, python.control-flow]
rewrites: [architectures/linear_attention_at_once]
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v):
        missing = -q.shape[0] % 4
        chunks = [
            torch.nn.functional.pad(t, (0, 0, 0, missing)).unflatten(0, (-1, 4)) for t in (q, k, v)
        ]
        state, outputs = q.new_zeros(q.shape[1], v.shape[1]), []
        for a, b, c in zip(*chunks):
            outputs.append((a @ b.mT).tril() @ c + a @ state)
            state = state + b.mT @ c
        return torch.cat(outputs)[: q.shape[0]]


n = Dim("n", min=2, max=32)
dynamic_shapes = {"q": {0: n}, "k": {0: n}, "v": {0: n}}


def inputs(n=10):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 5)
