"""
title: Losses of each element, not reduced
description: >
  What a mean hides comes out where each element has its own loss: a weight for the positive class,
  a margin, a delta.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, labels):
        target, weight = y.sigmoid(), y.abs()
        far = F.mse_loss(x, y, reduction="none"), F.huber_loss(x, y, reduction="none", delta=0.4)
        yes_no = F.binary_cross_entropy_with_logits(
            x, target, weight, reduction="none", pos_weight=y[0] ** 2
        )
        pairs = F.cosine_embedding_loss(x, y, labels % 2 * 2 - 1, margin=0.2, reduction="none")
        return (
            far,
            yes_no,
            pairs,
            F.multilabel_soft_margin_loss(x, target.round(), reduction="none"),
        )


dynamic_shapes = {name: {0: Dim("n", min=2, max=16)} for name in ("x", "y", "labels")}


def inputs(n=7):
    return torch.randn(n, 4), torch.randn(n, 4) + 0.1, torch.arange(n) % 4
