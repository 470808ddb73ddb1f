"""
title: Batch norm whose statistics are the mean of all batches, counted in a tensor
description: >
  The layer's own arithmetic without reading its counter: the statistics move by the inverse of a
  count that stays a tensor, and the batch is normalised by its own.
tags: [torch.module, torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3, momentum=None)

    def forward(self, x):
        norm = self.norm
        norm.num_batches_tracked.add_(1)
        share = 1.0 / norm.num_batches_tracked
        norm.running_mean.lerp_(x.mean(0).detach(), share)
        norm.running_var.lerp_(x.var(0).detach(), share)
        return torch.nn.functional.batch_norm(x, None, None, norm.weight, norm.bias, True)


def inputs():
    return (torch.randn(6, 3) * 2 + 1,)
