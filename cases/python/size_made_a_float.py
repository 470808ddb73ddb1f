"""
title: A tensor of whole numbers times a size as a float
description: >
  float() says what a division by one only implied.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * float(x.shape[0])


def inputs():
    return torch.arange(5)
