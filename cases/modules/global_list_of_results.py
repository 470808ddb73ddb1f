"""
title: Global list that keeps a result for the next call
description: >
  forward appends its result to a list outside of the module and reads the last entry at the next
  call. While tracing that leaves a tensor without data in the list, and the capture itself never
  appends again.
tags: [python.data-structure, python.closure, torch.mutation]
rewrites: [mutation/tensor_attribute_as_buffer]
"""

import torch

history = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        history.clear()

    def forward(self, x):
        last = history[-1] if history else 0
        history.append(x * 2)
        return x + last + 1


def inputs():
    return torch.randn(3, 4)
