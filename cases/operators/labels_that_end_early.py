"""
title: "multilabel_margin_loss with labels that end at -1"
description: >
  The labels of a row end at the first -1, and what stands behind it does not count. Where the
  operator is taken apart while tracing, the parts must leave it out too. The rewrite makes a mask
  of the labels and writes the loss down.
tags: [torch.operator, torch.decomposition]
train: true
requires: [values]
rewrites: [operators/labels_as_a_mask]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("labels", torch.tensor([[3, 0, -1, 1], [2, -1, 0, 0], [1, 0, 2, -1]]))

    def forward(self, x):
        return F.multilabel_margin_loss(x, self.labels, reduction="none")


def inputs():
    return (torch.randn(3, 4, requires_grad=True),)
