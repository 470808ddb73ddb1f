"""
title: One tensor given for two inputs, and changed in place
description: >
  The example gives two separate tensors; a caller may give the same tensor twice. Then the write
  to the first input is seen through the second. A capture that was made for separate tensors must
  either do as eager does, or refuse.
tags: [torch.aliasing, torch.mutation]
references: [pytorch#139789]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        x.add_(1)
        return y * 2


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    x = torch.randn(3, 4)
    yield x, x
    yield x, x.view(3, 4)
