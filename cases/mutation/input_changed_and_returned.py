"""
title: Input changed in place and returned
description: >
  The returned tensor is the input itself, changed. Caller and result share memory afterwards, as
  with any operation whose name ends in an underscore.
tags: [torch.mutation, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.add_(1)


def inputs():
    return (torch.randn(3, 4),)
