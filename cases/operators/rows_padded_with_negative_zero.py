"""
title: Each sequence padded by itself with -0.0
description: >
  torch.nn.functional.pad has no number as the default of its value, so that -0.0 stays what it is.
tags: [torch.operator, torch.recurrent]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        missing = x.shape[0] - y.shape[0]
        y = torch.nn.functional.pad(y, (0, 0, 0, missing), value=-0.0)
        rows = torch.stack([x, y])
        return rows, 1 / rows


def inputs():
    return torch.randn(4, 2), torch.randn(3, 2)
