"""
title: Losses summed and not reduced at all
description: >
  The mean is the default of all of them, and what is hidden in a mean comes out in the sum and
  in each element: a weight applied twice, or a count that is not the batch.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, labels):
        chance, target = x.sigmoid(), y.sigmoid()
        single = [F.mse_loss(x, y, reduction="none")]
        single += [F.huber_loss(x, y, reduction="none", delta=0.4)]
        single += [
            F.binary_cross_entropy_with_logits(
                x, target, y.abs(), reduction="none", pos_weight=y[0] ** 2
            )
        ]
        single += [F.cosine_embedding_loss(x, y, labels % 2 * 2 - 1, margin=0.2, reduction="none")]
        summed = [F.binary_cross_entropy(chance, target, y.abs(), reduction="sum")]
        summed += [F.mse_loss(x, y, reduction="sum")]
        summed += [F.huber_loss(x, y, reduction="sum"), F.smooth_l1_loss(x, y, reduction="sum")]
        summed += [F.multi_margin_loss(x, labels, p=2, margin=0.6, reduction="sum")]
        summed += [F.l1_loss(x, y, reduction="sum")]
        summed += [F.soft_margin_loss(x, y.sign(), reduction="sum")]
        summed += [F.kl_div(x, y, log_target=True, reduction="sum")]
        summed += [F.poisson_nll_loss(x, target, full=True, reduction="sum")]
        summed += [F.hinge_embedding_loss(x, y.sign(), reduction="sum")]
        return single, summed, F.multilabel_soft_margin_loss(x, target.round(), reduction="none")


dynamic_shapes = {name: {0: Dim("n", min=2, max=16)} for name in ("x", "y", "labels")}


def inputs(n=7):
    return torch.randn(n, 4), torch.randn(n, 4) + 0.1, torch.arange(n) % 4
