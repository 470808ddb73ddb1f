"""
title: clone instead of deepcopy
description: >
  clone copies a tensor as an operator in the graph; the copy may be changed without touching the
  input.
tags: [torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y.add_(1)
        return x * y


def inputs():
    return (torch.randn(3, 4),)
