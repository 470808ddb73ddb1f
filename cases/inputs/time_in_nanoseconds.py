"""
title: int input of more than 32 bits (time in nanoseconds)
description: >
  The call passes a time as a Python int, far beyond 32 bits and beyond what a float holds
  exactly, and a tensor of such times. Passed on as 32 bits or as a float, ages are wrong.
tags: [torch.scalar-input, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, times, now):
        ages = now - times
        return ages, (times // 1_000_000_007) % 24, ages.double() / 1e9, times == now, ages.sum()


def inputs():
    now = 1_763_899_200_123_456_789
    return torch.tensor([now - 1, now, now - 3_600_000_000_001]), now


def accepts():
    now = 1_763_899_200_123_456_789
    yield torch.tensor([0, now + 1, now - 2**33]), now


def rejects():
    now = 1_763_899_999_000_000_001
    yield torch.tensor([now - 1, now, now + 5]), now
    yield torch.tensor([2**40 + 1, 2**31, 2**53 + 1]), 2**53 + 1
