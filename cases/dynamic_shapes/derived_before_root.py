"""
title: Derived dim that stands before its root
description: >
  The first input is three times as long as the second. The order in which inputs come does not
  say which size the other is derived from: the root may stand last.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, long, short):
        return long.view(-1, 3) * short[:, None] / long.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"long": {0: 3 * n}, "short": {0: n}}


def inputs(n=5):
    return torch.randn(3 * n), torch.randn(n)
