"""
title: Losses summed over the batch
description: >
  The mean is the default of all of them, and what is hidden in a mean comes out in the sum: a
  weight applied twice, or a count that is not the batch.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, labels):
        chance, target = x.sigmoid(), y.sigmoid()
        yes_no = F.binary_cross_entropy(chance, target, y.abs(), reduction="sum")
        far = F.mse_loss(x, y, reduction="sum"), F.l1_loss(x, y, reduction="sum")
        near = F.huber_loss(x, y, reduction="sum"), F.smooth_l1_loss(x, y, reduction="sum")
        margin = F.multi_margin_loss(x, labels, p=2, margin=0.6, reduction="sum")
        soft = F.soft_margin_loss(x, y.sign(), reduction="sum")
        logs = F.kl_div(x, y, log_target=True, reduction="sum")
        counts = F.poisson_nll_loss(x, target, full=True, reduction="sum")
        hinge = F.hinge_embedding_loss(x, y.sign(), reduction="sum")
        return yes_no, far, near, margin, soft, logs, counts, hinge


dynamic_shapes = {name: {0: Dim("n", min=2, max=16)} for name in ("x", "y", "labels")}


def inputs(n=7):
    return torch.randn(n, 4), torch.randn(n, 4) + 0.1, torch.arange(n) % 4
