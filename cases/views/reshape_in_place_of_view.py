"""
title: reshape that copies where it has to
description: >
  reshape gives a view where the layout allows it and a copy where it does not, so every layout of
  the same shape is served.
tags: [torch.view, torch.stride]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.reshape(12) * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 8)[:, ::2]
    yield torch.randn(3, 8)[:, :4]
