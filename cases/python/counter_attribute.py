"""
title: Call counter in a Python attribute
description: >
  forward counts its calls in a plain int and uses the count. The addition happens while tracing:
  the graph holds the count of that one call as a constant, and no later call counts on. The
  rewrite keeps the count in a buffer, where it is data.
tags: [python.attribute, torch.specialization]
references: [pytorch#109412]
rewrites: [python/counter_buffer]
pitfalls: [mutation/tensor_attribute_assigned]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


def inputs():
    return (torch.randn(3, 4),)
