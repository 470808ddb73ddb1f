"""
title: Zero times a value read with item(), which may be NaN
description: >
  Zero times NaN is NaN, and so is zero times infinity: the product tells whether the number can
  be used. The arithmetic of symbols simplifies it to zero while tracing. The rewrite multiplies
  the tensor.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/tensor_times_zero]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x[0] + x.sum().item() * 0.0


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield (torch.cat([torch.ones(1, 3), torch.full((4, 3), float("nan"))]),)
