"""
title: Batch norm without a momentum, its statistics the mean of all batches
description: >
  With momentum=None the layer divides by the number of batches that it has seen, which it reads
  from its counter: a number that becomes a constant of the capture, or stops it. The rewrite keeps
  the count as a tensor.
tags: [torch.module, torch.buffer, torch.mutation, torch.item]
requires: [values]
rewrites: [modules/batch_norm_by_counted_mean]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3, momentum=None)

    def forward(self, x):
        return self.norm(x)


def inputs():
    return (torch.randn(6, 3) * 2 + 1,)
