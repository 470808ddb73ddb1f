"""
title: Straight-through gradient by detach
description: >
  x - x.detach() is zero and has the gradient of x. Added to the clipped values, which are a
  constant, it gives them that gradient; a capture that records the operators has the rule.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x.clamp(-1, 1).detach() + (x - x.detach())) * 2


def inputs():
    return torch.full((3, 4), 2.0, requires_grad=True)
