"""
title: What a mode would change, written down
description: >
  The sine is doubled where it is computed.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


def inputs():
    return torch.randn(5)
