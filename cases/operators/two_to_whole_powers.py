"""
title: Two to the power of a tensor of whole numbers
description: >
  A number to the power of integers gives integers of their type. What hands the number on as a
  float gives floats instead.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
rewrites: [operators/two_to_whole_powers_by_tensor]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, bits):
        return 2**bits


dynamic_shapes = {"bits": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.arange(n, dtype=torch.int32)
