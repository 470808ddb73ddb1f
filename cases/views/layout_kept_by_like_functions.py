"""
title: empty_like, clone and to, which keep the layout
description: >
  Functions that make a tensor like another give it the other's layout unless told otherwise. Flat
  memory read afterwards comes in that order, so a capture must not choose a layout of its own.
tags: [torch.stride, torch.view, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x.t()) + x.t()
        z = x.t().clone().to(torch.float64)
        return y.as_strided((12,), (1,)), z.as_strided((12,), (1,))


def inputs():
    return torch.randn(3, 4)
