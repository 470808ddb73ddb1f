"""
title: Total compared in a tensor and checked as an integer before the shares are computed
description: >
  The comparison is made in a tensor and read as an integer, 0 or 1. The condition on the integer is
  part of the graph and is checked at every call.
tags: [torch.check, torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, weights):
        total = weights.sum()
        torch._check((total >= 0.5).long().item() > 0)
        return weights / total


def inputs():
    return torch.rand(3, 4) + 0.1


def accepts():
    yield torch.full((3, 4), 20.0)


def rejects():
    yield torch.full((3, 4), 0.01)
    yield torch.full((3, 4), -1.0)
