"""
title: Doubling written in forward in place of a TorchDispatchMode
description: >
  The sine is doubled where it is computed, as an operator that every tracer records.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


def inputs():
    return torch.randn(5)
