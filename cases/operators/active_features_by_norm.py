"""
title: Count of active features by vector_norm(ord=0)
description: >
  The norm of order 0 counts what is not zero, whatever its size or sign. It is the usual measure
  of how sparse the features of an autoencoder are; any other order gives a length instead.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        features = torch.nn.functional.softshrink(x, 0.6)
        active = torch.linalg.vector_norm(features, ord=0, dim=1)
        share = torch.linalg.vector_norm(features, 0) / features.numel()
        return active, share, torch.linalg.vector_norm(features, ord=1, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 12)
