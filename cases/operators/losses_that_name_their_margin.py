"""
title: Losses that name their margin, exponent and swap, not reduced
description: >
  A ranking, triplet, hinge or cosine loss has a margin, some an exponent, a weight for each class
  or a pair to swap. Left out, they have other values, and so has the loss of each element.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        weight, z = torch.tensor([1.0, 2.0, 0.5, 3.0]), x.flip(0) * 0.7
        truth, side = F.one_hot(y, 4).float(), 1 - 2.0 * (y % 2)
        rank = F.margin_ranking_loss(x[:, 0], x[:, 1], side, margin=0.4, reduction="none")
        three = F.triplet_margin_loss(x, z, truth, margin=2.0, p=1.0, swap=True)
        many = F.multi_margin_loss(x, y, p=2, margin=0.5, weight=weight, reduction="none")
        near = F.hinge_embedding_loss(x[:, 0], side, 0.3), F.cosine_embedding_loss(x, z, side, 0.2)
        return rank, three, many, near, F.poisson_nll_loss(x.sigmoid(), truth, False)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n) % 4
