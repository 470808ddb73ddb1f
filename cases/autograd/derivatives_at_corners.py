"""
title: Derivatives where functions have corners
description: >
  At zero, at ties and at bounds eager has settled on one of several derivatives: none for abs and
  relu, an equal share for amax, all for a clamp at its bound. Weights that begin at zero stand
  exactly there.
tags: [torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        corners = [[0.0, 1.0, 1.0, -1.0], [0.0, 0.0, 2.0, 2.0], [-1.0, 0.5, 0.0, -0.5]]
        self.weight = torch.nn.Parameter(torch.tensor(corners))

    def forward(self, x):
        w, s = self.weight, x.sum(0)
        bent = w.abs() + torch.relu(w) * 2 + w.clamp(-1, 1) * 3 + w.round() + w.sign()
        tops = w.amax(1) + w.amin(1) * 2 + torch.maximum(w, -w).sum(1)
        lengths = torch.norm(w - w.detach(), dim=1) + (w * w).pow(2).sum(1) + w.norm(dim=1)
        return (bent * s).sum(1) + tops * lengths, torch.where(w > 0, w * s, w / 2)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
