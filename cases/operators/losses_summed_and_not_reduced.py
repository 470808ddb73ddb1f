"""
title: Losses of classes and distances with reduction="sum" and "none", weights and log_target
description: >
  Backends often know the mean alone. The sum, one loss for each element, weights, a label to ignore
  and targets given as logarithms are arguments of their own.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        weight, z = torch.tensor([1.0, 2.0, 0.5, 3.0]), x.flip(0) * 0.7
        truth, chance = F.one_hot(y, 4).float(), x.sigmoid()
        each = F.cross_entropy(x, y, reduction="none")
        some = F.cross_entropy(x, y, weight, ignore_index=1), F.nll_loss(x, y, ignore_index=0)
        yes_no = F.binary_cross_entropy_with_logits(x, truth, weight, reduction="sum")
        one = F.binary_cross_entropy(chance, truth, reduction="none")
        two = F.mse_loss(x, z, reduction="sum"), F.huber_loss(x, z, delta=0.4)
        far = F.smooth_l1_loss(x, z, reduction="none", beta=0.3)
        logs = F.kl_div(x, z.log_softmax(1), reduction="sum", log_target=True)
        counts = F.poisson_nll_loss(x, truth + 2, full=True)
        return each, some, yes_no, one, two, far, logs, counts


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n) % 4
