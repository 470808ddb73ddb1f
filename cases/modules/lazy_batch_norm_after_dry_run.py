"""
title: Lazy layer called once before the capture
description: >
  The constructor calls the lazy layer on zeros of the right size. From then on it is an ordinary
  layer with ordinary parameters.
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
