"""
title: A size divided by a scale of one
description: >
  Dividing gives a float, by one as well. TorchScript leaves a division by one out, so the number
  stays whole, and with it the tensor. The rewrite makes a float of the size.
tags: [torch.dtype]
rewrites: [python/size_made_a_float]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] / 1)


def inputs():
    return torch.arange(5)
