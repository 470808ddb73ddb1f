"""
title: "Distances of rows and pairs: pdist, dist, cdist by every exponent"
description: >
  The exponent 0 counts differences, 1 adds them, 2 is the straight line and infinity takes the
  largest; each often has a kernel of its own. pdist gives each pair once, in the order of rows.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        exponents = 0.0, 1.0, 2.0, 3.0, float("inf")
        pairs = [F.pdist(x, p) for p in exponents]
        tables = [torch.cdist(x, y, p) for p in exponents]
        exact = torch.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist")
        whole = [torch.dist(x, x.roll(1, 0), p) for p in exponents]
        rows = F.pairwise_distance(x, x * 0.5, 1.0, 0.25, True), F.cosine_similarity(x, y[:1], 1)
        return pairs, tables, exact, whole, rows


def inputs():
    return torch.randn(4, 3), torch.randn(5, 3)
