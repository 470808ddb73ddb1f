"""
title: Tuple of tensors on self that each call replaces
description: >
  The state is a plain tuple of tensors. forward computes new ones and stores them under the same
  name, so every call sees what the one before left; neither is registered anywhere.
tags: [python.attribute, python.data-structure, torch.mutation]
references: [pytorch#106217]
rewrites: [modules/buffers_as_state]
pitfalls: [modules/dict_of_tensors_as_state, mutation/buffer_assigned]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4), torch.full((4,), -100.0)

    def forward(self, x):
        total, peak = self.state
        total = total + x.sum(0)
        peak = torch.maximum(peak, x.amax(0) + total)
        self.state = total, peak
        return peak - x


def inputs():
    return torch.randn(3, 4)
