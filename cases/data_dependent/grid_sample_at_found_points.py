"""
title: grid_sample at points found by nonzero
description: >
  The places of the peaks in a map become coordinates between -1 and 1, at which features are read
  with bilinear interpolation. How many peaks there are is a dimension of the grid.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, features, scores):
        points = (scores > 0.5).nonzero()
        span = torch.tensor(scores.shape) - 1
        grid = (2 * points / span - 1).flip(1).view(1, 1, -1, 2)
        found = torch.nn.functional.grid_sample(features[None], grid, align_corners=True)
        return found[0, :, 0].T


def inputs():
    scores = torch.zeros(5, 7)
    scores[1, 2] = scores[3, 6] = scores[4, 0] = 0.9
    return torch.randn(3, 10, 11), scores


def accepts():
    yield torch.randn(3, 10, 11), (torch.arange(35.0) == 8).float().view(5, 7)
    yield torch.randn(3, 10, 11), torch.ones(5, 7)
