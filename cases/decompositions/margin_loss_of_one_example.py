"""
title: Multi-label margin loss of one example, not reduced
description: >
  The scores of one example give a single loss, which has no dimension even with reduction="none".
  What the loss is made of inside gives it a dimension of size 1, and a capture that looks inside
  keeps that. The rewrite writes the loss down, with the labels as a mask.
tags: [torch.decomposition, torch.operator]
rewrites: [decompositions/margin_loss_of_one_example_by_mask]
"""

import torch
from torch.nn import MultiLabelMarginLoss


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = MultiLabelMarginLoss(reduction="none")
        self.register_buffer("labels", torch.tensor([3, 0, 5, -1, -1, -1, -1]))

    def forward(self, scores):
        return self.loss(scores, self.labels)


def inputs():
    return (torch.randn(7),)
