"""
title: A mask combined with a truth value in a tensor
description: >
  Two masks give a mask everywhere.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) & torch.tensor(True)


def inputs():
    return torch.randn(5, 3)
