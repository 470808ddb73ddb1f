"""
title: Lazy layer that has not seen an input yet
description: >
  A lazy layer learns its sizes from its first call, which makes its parameters and buffers. If that
  first call is the capture, they come into being while it is traced.
tags: [torch.module, torch.parameter, torch.buffer]
rewrites: [modules/lazy_batch_norm_after_dry_run]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LazyBatchNorm1d()
        self.eval()

    def forward(self, x):
        return self.norm(x) * 3


def inputs():
    return torch.randn(5, 4)
