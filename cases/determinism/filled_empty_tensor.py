"""
title: Reading a tensor from torch.empty
description: >
  torch.empty promises nothing about its values, and deterministic mode fills it with NaN so that
  reading them shows. Every element is overwritten before it is read here, so eager and capture
  must agree in either mode.
tags: [torch.determinism, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        out = torch.empty(4, 6)
        out[:, :3] = x
        out[:, 3:] = x.flip(1)
        return out


def inputs():
    return torch.randn(4, 3)
