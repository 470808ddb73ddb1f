"""
title: Result of an autocast block, converted to float32 behind it
description: >
  The layer runs in bfloat16 under autocast, and what follows wants float32. Export notes the dtype
  that a tensor has where it is converted; strict mode notes the one that it would have without
  autocast, and the capture stops at that when it runs.
tags: [python.context-manager, torch.dtype]
rewrites: [python/conversions_in_place_of_autocast]
errors: [E0220]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            low = self.layer(x)
        return low.float().softmax(-1)


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=32)}}


def inputs(batch=5):
    return torch.randn(batch, 3)
