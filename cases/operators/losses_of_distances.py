"""
title: smooth_l1, Huber, soft-margin and Poisson losses, and distances
description: >
  smooth L1 and Huber agree only where beta and delta are one. The Poisson loss takes logarithms
  unless told otherwise.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        plain = F.mse_loss(x, y), F.l1_loss(x, y, reduction="sum"), F.soft_margin_loss(x, y.sign())
        smooth = F.smooth_l1_loss(x, y, beta=0.5), F.huber_loss(x, y, reduction="none", delta=0.7)
        counts = F.poisson_nll_loss(x, y.abs())
        rates = F.poisson_nll_loss(x.abs(), y, log_input=False, full=True)
        apart = F.cosine_similarity(x, y), F.pairwise_distance(x, y)
        return plain, smooth, counts, rates, apart


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)
