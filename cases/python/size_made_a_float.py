"""
title: float() of a size as a factor of an integer tensor
description: >
  float() says explicitly what a division by one only implies.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * float(x.shape[0])


def inputs():
    return torch.arange(5)
