"""
title: cross_entropy of a segmentation with a weight for each class
description: >
  Rare classes count more. The mean over pixels is divided by the sum of the weights of their
  classes, not by the number of pixels, and the weight is that of the label, not that of the class
  which scores highest.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.tensor([0.1, 4.0, 1.5]))

    def forward(self, scores, label):
        return torch.nn.functional.cross_entropy(scores, label, weight=self.weight)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"scores": {0: n}, "label": {0: n}}


def inputs(n=5):
    label = (torch.arange(n * 4) % 3).reshape(n, 4)
    return torch.randn(n, 3, 4), label
