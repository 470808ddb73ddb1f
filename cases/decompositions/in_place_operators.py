"""
title: In-place and view operators that become functional
description: >
  Views, in-place arithmetic and copies on a tensor made inside forward. Functionalization turns
  them into operators that make new tensors, and the result must not change.
tags: [torch.decomposition, torch.mutation, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        out = x.new_zeros(4, 5)
        out[1:].copy_(x)
        out.view(-1)[:7].add_(1)
        out.t().mul_(2)
        return out


def inputs():
    return torch.randn(3, 5)
