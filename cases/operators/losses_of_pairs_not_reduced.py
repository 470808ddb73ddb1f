"""
title: Ranking, triplet and cosine losses with reduction="sum" and "none"
description: >
  With reduction="none" there is a loss for every pair, with "sum" their sum. A backend that
  ignores the argument gives the mean, which trains as well, only with another step size.
tags: [torch.decomposition, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-5}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y, same):
        sign = same * 2.0 - 1
        cosines = [F.cosine_embedding_loss(x, y, sign, 0.3, reduction=r) for r in ("none", "sum")]
        hinges = [F.hinge_embedding_loss(x[:, 0], sign, 0.7, reduction=r) for r in ("none", "sum")]
        margins = [F.soft_margin_loss(x[:, 1], sign, reduction=r) for r in ("none", "sum")]
        triples = [
            F.triplet_margin_loss(x, y, -y, 0.9, eps=0.1, reduction=r) for r in ("none", "sum")
        ]
        ranked = [
            F.margin_ranking_loss(x[:, 0], y[:, 0], sign, 0.2, reduction=r) for r in ("none", "sum")
        ]
        return cosines, hinges, margins, triples, ranked, F.cosine_similarity(x, y, dim=0, eps=0.5)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "same": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4), torch.arange(n) % 3 == 0
