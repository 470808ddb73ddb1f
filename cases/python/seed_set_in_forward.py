"""
title: torch.manual_seed inside of forward
description: >
  The seed is set before numbers are drawn, so each call of the program draws the same ones. Setting
  it is no operation on tensors: it happens while tracing, and a graph that has only the drawing
  gives other numbers in every call. The rewrite draws them once, in the constructor.
tags: [torch.random]
rewrites: [python/noise_in_buffer]
references: [pytorch#95161, pytorch#107187]
errors: [E0305]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        torch.manual_seed(7)
        return x + torch.rand(3, 4)


def inputs():
    return torch.randn(3, 4)
