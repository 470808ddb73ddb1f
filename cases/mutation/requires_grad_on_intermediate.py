"""
title: requires_grad_() on an intermediate tensor
description: >
  forward asks for gradients of a tensor that it made itself, and does nothing more with them. The
  numbers do not change, but requires_grad_ is no operator that a graph could hold.
tags: [torch.autograd]
rewrites: [mutation/requires_grad_left_to_caller]
errors: [E0419]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        anchor = torch.ones(3, 4)
        anchor.requires_grad_()
        return (x * anchor).sin()


def inputs():
    return torch.randn(3, 4)
