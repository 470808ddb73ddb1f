"""
title: Same batch encoded twice with dropout (contrastive loss)
description: >
  For a contrastive loss the same batch is encoded twice in training mode. The two calls look the
  same but have to drop different elements; a capture that merges them makes both views equal, and
  nothing is learned.
tags: [torch.random, torch.module, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Sequential(torch.nn.Dropout(0.4), torch.nn.Linear(6, 4))
        self.noise = torch.nn.Dropout(0.2)

    def forward(self, x):
        one, two = self.encoder(x), self.encoder(x)
        jitter = torch.rand_like(x) - torch.rand_like(x)
        alike = torch.nn.functional.cosine_similarity(one, two)
        return alike, self.noise(jitter) + self.noise(jitter)


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=16)}}


def inputs(batch=5):
    return (torch.randn(batch, 6),)
