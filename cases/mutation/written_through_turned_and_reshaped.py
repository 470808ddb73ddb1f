"""
title: In-place writes through a transposed and a reshaped view
description: >
  A tensor is written to through its transpose and through flat and wider views of it. Each write
  must arrive in the tensor itself, where later writes and the result read it.
tags: [torch.mutation, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y.t().add_(torch.arange(6.0)[:, None])
        y.view(-1).mul_(2)
        y.view(2, 2, 6).sub_(1)
        y.permute(1, 0).copy_(y.t() * y.t())
        y.unsqueeze(0).neg_()
        y.flatten().clamp_(max=3)
        return y, y.sum(1)


def inputs():
    return torch.randn(4, 6)
