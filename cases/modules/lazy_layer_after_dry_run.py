"""
title: Lazy layer called once before the capture
description: >
  A lazy layer learns its sizes from its first call, which makes its parameters and buffers. The
  constructor calls it on zeros, and from then on it is an ordinary layer.
tags: [torch.module, torch.parameter, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LazyBatchNorm1d()
        self.eval()
        self.norm(torch.zeros(2, 4))

    def forward(self, x):
        return self.norm(x) * 3


def inputs():
    return torch.randn(5, 4)
