"""
title: 'torch.multinomial and bernoulli: next tokens drawn by probability'
description: >
  multinomial draws in proportion to the weights, with or without replacement; bernoulli has a
  probability for each element. A backend that takes the likeliest token, or draws every row
  alike, gives tokens that look right.
tags: [torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores):
        weights = scores.softmax(1)
        token = torch.multinomial(weights, 1)
        several = torch.multinomial(weights, 4, replacement=True), torch.multinomial(weights, 3)
        kept, counts = torch.bernoulli(weights), torch.poisson(weights * 20)
        left_out = torch.nn.functional.dropout(scores, 0.3), torch.dropout(scores, 0.3, True)
        return scores.gather(1, token), several, kept, counts, left_out


dynamic_shapes = {"scores": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 6)
