"""
title: Size divided by 1 with /
description: >
  Dividing gives a float, by one as well. TorchScript removes a division by one, so the number
  stays an integer, and with it the tensor. The rewrite converts the size with float().
tags: [torch.dtype]
rewrites: [python/size_made_a_float]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] / 1)


def inputs():
    return torch.arange(5)
