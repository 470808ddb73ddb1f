"""
title: smooth_l1, Huber, cosine, triplet and Poisson losses
description: >
  smooth L1 and Huber agree only where beta and delta are one. Each loss has its margin, and the
  three reductions are mean, sum and none.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        plain = F.mse_loss(x, y), F.l1_loss(x, y, reduction="sum"), F.soft_margin_loss(x, y.sign())
        smooth = F.smooth_l1_loss(x, y, beta=0.5), F.huber_loss(x, y, reduction="none", delta=0.7)
        side = torch.ones(x.shape[0])
        pairs = (
            F.cosine_embedding_loss(x, y, -side, margin=0.2),
            F.hinge_embedding_loss(x, y.sign()),
        )
        three = (
            F.triplet_margin_loss(x, y, z, margin=0.4),
            F.margin_ranking_loss(x, y, y.sign(), 0.3),
        )
        odds = (
            F.poisson_nll_loss(x, y.abs()),
            F.poisson_nll_loss(x.abs(), y, log_input=False, full=True),
        )
        return (
            plain,
            smooth,
            pairs,
            three,
            odds,
            F.cosine_similarity(x, y),
            F.pairwise_distance(x, y),
        )


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "z": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3)
