"""
title: BatchNorm in training mode
description: >
  In training mode the layer normalises with the statistics of the batch and updates three
  buffers: running mean, running variance and the count of batches.
tags: [torch.mutation, torch.buffer, torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


def inputs():
    return (torch.randn(5, 3),)
