"""
title: Label smoothing with class weights, multilabel_margin_loss, attention mask of one row
description: >
  Smoothing is weighted by class as the labels are; in a list of labels nothing behind the first -1
  counts; a mask of one row holds for every query; each group has a weight for each channel.
tags: [torch.sweep, torch.attention]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.group = torch.nn.GroupNorm(2, 6)
        self.single = torch.nn.InstanceNorm1d(6, affine=True, track_running_stats=True)
        with torch.no_grad():
            self.group.weight.copy_(torch.arange(6) - 2.5)

    def forward(self, scores, labels, tags, x, seen):
        weight = torch.tensor([0.5, 2.0, 1.0, 3.0])
        smooth = F.cross_entropy(scores, labels, weight, label_smoothing=0.3)
        several = F.multilabel_margin_loss(scores, tags)
        mixed = F.scaled_dot_product_attention(x, x, x, attn_mask=seen)
        return smooth, several, mixed, self.group(x), self.single(x)


def inputs():
    tags = torch.tensor([[1, -1, 2, 0], [3, 0, -1, 1], [2, 1, 0, -1]])
    seen = torch.tensor([[True, False, True, True, False, True]])
    return torch.randn(3, 4), torch.tensor([0, 3, 1]), tags, torch.randn(2, 6, 5), seen
