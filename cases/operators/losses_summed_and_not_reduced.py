"""
title: Losses with reduction="sum" and "none", weight, margin and log_target
description: >
  Backends often know the mean alone. The sum, one loss for each element, weights, a margin, an
  exponent and targets given as logarithms are arguments of their own.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        weight, z = torch.tensor([1.0, 2.0, 0.5, 3.0]), x.flip(0) * 0.7
        truth, side = F.one_hot(y, 4).float(), 1 - 2.0 * (y % 2)
        classes = (
            F.cross_entropy(x, y, reduction="none"),
            F.cross_entropy(x, y, weight, ignore_index=1),
            F.nll_loss(x, y, ignore_index=0),
        )
        chance = x.sigmoid()
        yes_no = F.binary_cross_entropy_with_logits(x, truth, weight, reduction="sum")
        one = (
            F.binary_cross_entropy(chance, truth, reduction="none"),
            F.mse_loss(x, z, reduction="sum"),
        )
        far = F.smooth_l1_loss(x, z, reduction="none", beta=0.3), F.huber_loss(x, z, delta=0.4)
        logs = F.kl_div(x, z.log_softmax(1), reduction="sum", log_target=True)
        rank = F.margin_ranking_loss(x[:, 0], x[:, 1], side, margin=0.4, reduction="none")
        three = F.triplet_margin_loss(x, z, truth, margin=2.0, p=1.0, swap=True)
        many = F.multi_margin_loss(x, y, p=2, margin=0.5, weight=weight, reduction="none")
        near = F.hinge_embedding_loss(x[:, 0], side, 0.3), F.cosine_embedding_loss(x, z, side, 0.2)
        counts = (
            F.poisson_nll_loss(x, truth + 2, full=True),
            F.poisson_nll_loss(chance, truth, False),
        )
        return classes, yes_no, one, far, logs, rank, three, many, near, counts


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n) % 4
