"""
title: map over possibly no rows, a row of zeros put behind
description: >
  map refuses a tensor without rows, in eager too. With a row of zeros behind there is always one,
  and its result is dropped. Functions that fail on zeros need another row.
tags: [torch.map, torch.dynamic-shape, torch.zero-one]
requires: [torch>=2.8]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def normalised(row):
            return row.softmax(0) * 2

        return map(normalised, torch.cat([xs, xs.new_zeros(1, 3)]))[:-1]


dynamic_shapes = {"xs": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
