"""
title: Inputs that can be given by position alone
description: >
  A slash after the arguments says that they have no names for a caller, so there is one way to
  call it, and the example takes it.
tags: [python.kwargs]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, /):
        return x - 2 * y


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)
