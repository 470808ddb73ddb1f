"""
title: Non-maximum suppression written as a Python loop
description: >
  Boxes are visited from the best to the worst, and one is kept if it overlaps with none of those
  kept before. The if reads the overlap, which is data, so Python has to know it. The rewrite keeps
  the decision in a mask.
tags: [python.control-flow, torch.item]
requires: [values]
rewrites: [detection/suppression_with_mask]
pitfalls: [custom_operators/without_fake_kernel]
errors: [E0001, E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, overlap, scores):
        kept = torch.zeros_like(scores)
        for i in scores.argsort(descending=True):
            if (overlap[i] * kept).max() < 0.5:
                kept[i] = 1
        return kept


def inputs():
    overlap = torch.rand(5, 5)
    return (overlap + overlap.T) / 2, torch.rand(5)


def accepts():
    yield torch.zeros(5, 5), torch.rand(5)
    yield torch.ones(5, 5), torch.rand(5)
