"""
title: Attention written out with a scale of its own, or with none
description: >
  A fused kernel divides the scores by the root of the width unless it is told otherwise. Scores
  that are multiplied by another number, divided by the width or not scaled at all must stay so
  when the pattern is recognised.
tags: [torch.attention, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v):
        turned = k.transpose(-1, -2)
        sharp = (torch.matmul(q, turned) * 1.5).softmax(-1) @ v
        by_width = (q @ turned / q.shape[-1]).softmax(-1) @ v
        plain = (q @ turned).softmax(-1) @ v
        distance = torch.arange(k.shape[-2])[:1] - torch.arange(k.shape[-2])
        biased = (q @ turned / 3 + 0.25 * distance).softmax(-1) @ v
        return sharp, by_width, plain, biased


dynamic_shapes = {"q": {2: Dim("n", min=2, max=16)}, "k": None, "v": None}


def inputs(n=5):
    return torch.randn(2, 3, n, 6), torch.randn(2, 3, 7, 6), torch.randn(2, 3, 7, 4)
