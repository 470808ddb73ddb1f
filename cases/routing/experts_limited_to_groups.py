"""
title: Mixture of experts, chosen within the best groups (DeepSeek-V3)
description: >
  A group is as good as the sum of its two best experts; experts of other groups are masked before
  topk. A bias takes part in the choice, and the weights are the scores without it.
tags: [torch.dynamic-shape, torch.scatter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bias", torch.linspace(-0.3, 0.3, 12))

    def forward(self, logits):
        scores = logits.sigmoid()
        choice = (scores + self.bias).unflatten(1, (4, 3))
        best = choice.topk(2, dim=-1).values.sum(-1).topk(2, dim=-1).indices
        allowed = torch.zeros_like(choice[..., 0], dtype=torch.bool).scatter(1, best, True)
        choice = choice.masked_fill(~allowed[..., None], 0.0).flatten(1)
        chosen = choice.topk(3, dim=-1).indices
        weights = scores.gather(1, chosen)
        return chosen, weights / weights.sum(1, keepdim=True)


dynamic_shapes = {"logits": {0: Dim("n", min=1, max=32)}}


def inputs(n=5):
    return (torch.randn(n, 12) * 3,)
