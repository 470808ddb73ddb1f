"""
title: flex_attention whose score function captures a buffer
description: >
  Every head has a slope of its own, looked up in a buffer by the number of the head. The buffer
  is captured by the function and has to become an input of the operator.
tags: [torch.operator, torch.buffer, python.closure]
requires: [values, flex-attention]
"""

import torch
from torch.export import Dim
from torch.nn.attention.flex_attention import flex_attention


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("slopes", torch.tensor([0.5, 0.25, 0.125]))

    def forward(self, query, key, value):
        def score(score, batch, head, i, j):
            return score + self.slopes[head] * (j - i)

        return flex_attention(query, key, value, score_mod=score)


batch = Dim("batch", min=2, max=8)
dynamic_shapes = {"query": {0: batch}, "key": {0: batch}, "value": {0: batch}}


def inputs(batch=2):
    return tuple(torch.randn(batch, 3, 7, 4) for _ in range(3))
