"""
title: A tensor of whole numbers times the square of a size
description: >
  A whole number to a whole power is a whole number. In TorchScript it is a float, and with it the
  tensor becomes one of floating point. The rewrite multiplies.
tags: [torch.dtype]
rewrites: [python/whole_number_times_itself]
references: [pytorch#34672]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[0] ** 2


def inputs():
    return torch.arange(5)
