"""
title: Time measured in forward (time.perf_counter)
description: >
  The program times a layer and keeps the longest time in an attribute. The clock is read while
  tracing, if tracing allows it at all, and never again. The result does not depend on it. The
  rewrite leaves the measuring to the caller.
tags: [python.builtin, python.attribute]
rewrites: [python/time_left_to_caller]
errors: [E0305]
"""

import time

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)
        self.longest = 0.0

    def forward(self, x):
        start = time.perf_counter()
        y = self.layer(x)
        self.longest = max(self.longest, time.perf_counter() - start)
        return y.relu()


def inputs():
    return torch.randn(5, 4)
