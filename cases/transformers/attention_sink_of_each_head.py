"""
title: Attention with a learned sink for each head (gpt-oss)
description: >
  A learned score is joined to the scores of the keys, takes its share of the softmax, and is cut
  off again, so a head may look at nothing. The number of keys is a symbol plus one for a moment.
tags: [torch.attention, torch.dynamic-shape, torch.parameter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sinks = torch.nn.Parameter(torch.tensor([0.5, -1.0]))

    def forward(self, q, k, v):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        sinks = self.sinks.view(1, -1, 1, 1).expand(q.shape[0], -1, q.shape[2], -1)
        shares = torch.cat([scores, sinks], dim=-1).softmax(-1)
        return shares[..., :-1] @ v


b, n = Dim("b", min=1, max=8), Dim("n", min=1, max=32)
dynamic_shapes = {"q": {0: b}, "k": {0: b, 2: n}, "v": {0: b, 2: n}}


def inputs(b=3, n=7):
    return torch.randn(b, 2, 5, 4), torch.randn(b, 2, n, 4), torch.randn(b, 2, n, 4)
