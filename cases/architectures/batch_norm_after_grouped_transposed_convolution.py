"""
title: Batch norm after a transposed convolution with groups (decoder)
description: >
  The weight of a transposed convolution has its outputs in the second dimension, and with groups
  only those of one group. A norm that is folded into it scales other weights than in a
  convolution.
tags: [torch.module, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.grown = torch.nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2)
        self.whole = torch.nn.ConvTranspose2d(6, 6, 2)
        self.norm, self.last = torch.nn.BatchNorm2d(6, eps=0.1), torch.nn.BatchNorm2d(6)
        for norm in (self.norm, self.last):
            torch.nn.init.uniform_(norm.running_mean, -1, 1)
            torch.nn.init.uniform_(norm.running_var, 0.1, 2)
            torch.nn.init.uniform_(norm.weight, -2, 2)
        self.eval()

    def forward(self, x):
        return self.last(self.whole(self.norm(self.grown(x))))


def inputs():
    return (torch.randn(2, 4, 5, 3),)
