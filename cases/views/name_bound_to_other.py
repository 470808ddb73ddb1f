"""
title: Another name for a tensor in place of set_
description: >
  Binding the name y to the tensor z does what set_ did: both names stand for one tensor, and a
  change of it shows under both.
tags: [torch.mutation, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        z = x * 3
        y = z
        z.add_(10)
        return y


def inputs():
    return torch.randn(3, 4)
