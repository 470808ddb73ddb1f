"""
title: z[:n] += y with n read from a tensor and checked
description: >
  n is said to lie between 0 and the length, so the slice has n rows and nothing wraps around or is
  cut. Other values are refused at every call.
tags: [torch.item, torch.unbacked-symbol, torch.mutation, torch.view, torch.check]
requires: [values]
dims: {k: {min: 0, max: 6}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, z, y, k):
        n = k.item()
        torch._check(n >= 0)
        torch._check(n <= z.shape[0])
        out = z.clone()
        out[:n] += y[:n]
        return out


def inputs(k=4):
    return torch.randn(6, 3), torch.randn(6, 3), torch.tensor(k)


def rejects():
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(-2)
    yield torch.randn(6, 3), torch.randn(6, 3), torch.tensor(20)
