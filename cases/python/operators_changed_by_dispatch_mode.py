"""
title: TorchDispatchMode entered in forward
description: >
  A mode doubles every sine while it is on. Tracing without TorchDynamo has a mode of its own,
  which records the sine and not what the user's mode makes of its result. The rewrite doubles the
  sine itself.
tags: [torch.operator, python.context-manager]
rewrites: [python/sine_doubled_by_hand]
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Doubled(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result * 2 if func is torch.ops.aten.sin.default else result


class Model(torch.nn.Module):
    def forward(self, x):
        with Doubled():
            return x.sin()


def inputs():
    return torch.randn(5)
