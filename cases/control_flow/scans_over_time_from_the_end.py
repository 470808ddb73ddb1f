"""
title: scan and associative_scan over the second dimension, from the end
description: >
  Time is the second dimension of a batch, and each step needs what comes after it: dim=1 together
  with reverse=True. A backend that knows one of the two alone goes over the batch, or from the
  beginning.
tags: [torch.scan, torch.associative-scan]
references: [triton-lang/triton#4362]
"""

import torch
from torch._higher_order_ops import associative_scan, scan


class Model(torch.nn.Module):
    def forward(self, rewards, decay):
        def step(value, reward):
            value = 0.5 * value + reward
            return value, value * 2

        def combine(left, right):
            return left[0] * right[0], left[1] * right[0] + right[1]

        last, values = scan(step, rewards.new_zeros(rewards.shape[0]), rewards, dim=1, reverse=True)
        pair = associative_scan(combine, (decay, rewards), 1, True, combine_mode="generic")
        return last, values, pair


def inputs():
    return torch.randn(4, 5), torch.rand(4, 5)
