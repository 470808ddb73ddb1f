"""
title: Integer tensor times a size times itself
description: >
  A product of integers is an integer everywhere.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] * x.shape[0])


def inputs():
    return torch.arange(5)
