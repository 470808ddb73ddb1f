"""
title: BatchNorm and dropout in evaluation mode
description: >
  In evaluation mode the statistics are constants and dropout does nothing. A capture has to take
  the mode of the module, not that of training.
tags: [torch.decomposition, torch.module, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)
        self.dropout = torch.nn.Dropout(0.5)
        self.eval()

    def forward(self, x):
        return self.dropout(self.norm(x))


def inputs():
    return torch.randn(5, 3)
