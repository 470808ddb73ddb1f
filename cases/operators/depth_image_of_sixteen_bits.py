"""
title: Depth in millimetres as uint16, turned into metres
description: >
  Depth cameras give unsigned numbers of 16 bits, where 0 means that nothing was seen. Beyond 32.767 m they would be
  negative if a capture read them as int16, and 65.535 m is the largest, not -1.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, depth):
        metres = depth.to(torch.float32) * 0.001
        seen = depth.to(torch.int64) > 0
        return metres, torch.where(seen, 1 / metres.clamp(min=0.001), 0.0), metres.amax((1, 2))


dynamic_shapes = {"depth": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    steps = torch.arange(n * 12).reshape(n, 3, 4) * 1213 % 65536
    steps[0, 0, :3] = torch.tensor([0, 32768, 65535])
    return steps.to(torch.uint16)
