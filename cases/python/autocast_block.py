"""
title: Mixed precision in a part of forward, by an autocast block
description: >
  Within the block, matrix products run in bfloat16, outside in float32. The setting is not an
  operator: a capture keeps the block, or writes the conversions out.
tags: [python.context-manager, torch.dtype]
requires: [values] # autocast knows no meta device
errors: [E0711]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            low = x @ y
        return low, x @ y


def inputs():
    return torch.randn(3, 4), torch.randn(4, 6)
