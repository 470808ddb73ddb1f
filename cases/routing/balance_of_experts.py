"""
title: Loss that keeps the experts of a mixture evenly used
description: >
  The share of the tokens that chose an expert is multiplied by the mean probability of the expert.
  one_hot is given the number of experts, so its result has that size whatever was chosen; padded
  tokens are left out with a mask.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, tokens):
        probability = scores.softmax(-1)
        chosen = torch.nn.functional.one_hot(scores.argmax(-1), 4)
        weight = tokens[:, None].to(scores.dtype)
        share = (chosen * weight).sum(0) / weight.sum()
        mean = (probability * weight).sum(0) / weight.sum()
        return 4 * (share * mean).sum()


n = Dim("n", min=1, max=32)
dynamic_shapes = {"scores": {0: n}, "tokens": {0: n}}


def inputs(n=7):
    return torch.randn(n, 4), torch.arange(n) % 3 != 1
