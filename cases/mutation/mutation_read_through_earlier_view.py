"""
title: View taken before its base is changed in place
description: >
  The view is made first, the base is changed afterwards, and the view is read last. It has to show
  the new numbers, so the order of reading and writing is part of the program.
tags: [torch.aliasing, torch.view, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        base = x * 2
        before = base.t()[1:]
        base.add_(100)
        before.mul_(-1)
        return base, before.sum(1)


def inputs():
    return torch.randn(3, 4)
