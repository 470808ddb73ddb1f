"""
title: Global list that keeps a result for the next call
description: >
  forward appends its result to a list outside of the module and reads the last entry at the next
  call. While tracing that leaves a tensor without data in the list, and the capture itself never
  appends again.
tags: [python.data-structure, python.closure, torch.mutation]
rewrites: [modules/result_kept_in_buffer]
"""

import torch

history = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        history.clear()

    def forward(self, x):
        y = x + history[-1] if history else x + 0
        history.append(x * 2)
        return y


def inputs():
    return torch.randn(3, 4)
