"""
title: Factors, limits and orders that are negative, whole or infinite
description: >
  Each argument has a usual value with which a mistake does not show: a factor of one, a limit
  of zero, a norm of order two.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        scaled = [torch.add(x, y, alpha=-2), torch.sub(x, y, alpha=3)]
        scaled += [torch.rsub(x, y, alpha=-0.5), torch.sub(x, 1.5, alpha=2)]
        products = [torch.addcmul(x, x, y, value=3), torch.addcdiv(x, x, y.exp(), value=-2)]
        products += [x.lerp(y, -0.5)]
        added = [x.index_add(1, torch.tensor([0, 2, 0]), y[:, :3], alpha=-1)]
        added += [x.index_fill(0, torch.tensor([1]), -2.5)]
        limits = [F.threshold(x, -1, 9), F.hardtanh(x, 0.0, 2.0), F.hardshrink(x, 0.0)]
        limits += [F.softshrink(x, 0.0)]
        curves = [F.softplus(x, 3, 0.5), F.celu(x, 2.5), F.elu(x, 1.5), F.leaky_relu(x, -0.3)]
        curves += [F.rrelu(x, 0.3, 0.3)]
        norms = [x.norm(-1.5, 1), torch.linalg.vector_norm(x, -1, 0)]
        norms += [torch.linalg.vector_norm(x, -torch.inf), torch.dist(x, y, 0)]
        largest = [x.renorm(2, -1, 0.8), x.renorm(torch.inf, 0, 0.5), F.normalize(x, 1.5, 0)]
        largest += [F.pairwise_distance(x, y, torch.inf)]
        rest = [x.clamp(max=-0.5), x.clip(y, y + 1)]
        return scaled, products, added, limits, curves, norms, largest, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 4), torch.randn(n, 4)
