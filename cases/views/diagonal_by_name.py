"""
title: diagonal() in place of as_strided
description: >
  diagonal says which elements are meant, by their place in the tensor and not in memory, so every
  layout gives the same.
tags: [torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.diagonal() * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 9)[:, :4]
