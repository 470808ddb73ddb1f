"""
title: Two inputs that overlap in memory
description: >
  The inputs are overlapping windows of one tensor of the caller. A write to the first shows in the
  part of the second that they share, which a capture made for separate inputs does not know.
tags: [torch.aliasing, torch.mutation, torch.view]
references: [pytorch#139789]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        x.mul_(10)
        return y + 1


def inputs():
    return torch.randn(4), torch.randn(4)


def accepts():
    whole = torch.arange(1.0, 8.0)
    yield whole[:4], whole[3:]
