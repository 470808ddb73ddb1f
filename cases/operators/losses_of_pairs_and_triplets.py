"""
title: Cosine, hinge, triplet and ranking losses with a margin
description: >
  Pairs that belong together and pairs that do not have different formulas; the target says with
  1 and -1 which one holds.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        apart = -torch.ones(x.shape[0])
        pairs = (
            F.cosine_embedding_loss(x, y, apart, margin=0.2),
            F.hinge_embedding_loss(x, y.sign()),
        )
        three = F.triplet_margin_loss(x, y, z, margin=0.4)
        return pairs, three, F.margin_ranking_loss(x, y, y.sign(), 0.3)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "z": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3)
