"""
title: Integer tensor times the square of a size (**)
description: >
  An integer to an integer power is an integer. In TorchScript it is a float, and so the tensor
  becomes a float tensor. The rewrite multiplies.
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
