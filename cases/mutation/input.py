"""
title: Input changed in place
description: >
  forward doubles its input where it lies, so the caller's tensor changes. A capture has to do the
  same to the tensors it is called with, not only return the right result.
tags: [torch.mutation]
references: [pytorch#112429]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.mul_(2)
        return x.sum(0)


def inputs():
    return (torch.randn(3, 4),)
