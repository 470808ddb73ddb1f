"""
title: Output that is a view of an input
description: >
  The result is the transposed input, without a copy: it shares the input's memory and has other
  strides.
tags: [torch.aliasing, torch.view, torch.stride]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.transpose(0, 1)


def inputs():
    return (torch.randn(3, 4),)
