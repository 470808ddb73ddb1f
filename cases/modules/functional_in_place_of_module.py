"""
title: Function of torch.nn.functional in place of a module without learned state
description: >
  A fresh LayerNorm has a weight of ones and a bias of zeros. The function does the same without
  either, for a size that is known only when forward is called.
tags: [torch.module]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.layer_norm(x, x.shape[-1:]) * 2


def inputs():
    return torch.randn(3, 5)
