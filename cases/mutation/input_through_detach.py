"""
title: Input changed in place through detach()
description: >
  The detached tensor shares the caller's memory, so the caller's tensor changes although the name
  that is written to is another.
tags: [torch.mutation, torch.aliasing, torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.detach().mul_(2)
        return x.sum(0)


def inputs():
    return torch.randn(3, 4)
