"""
title: masked_scatter in place of assigning values through a mask
description: >
  masked_scatter takes values in order for the places where the mask holds. It refuses too few and
  leaves surplus ones unused, so there is no size that depends on data.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, values, mask):
        return x.masked_scatter(mask, values) * 2


def inputs():
    return torch.randn(5), torch.randn(3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5), torch.randn(3), torch.tensor([False, True, True, False, True])
    yield torch.randn(5), torch.randn(3), torch.tensor([True, False, True, False, False])


def rejects():
    yield torch.randn(5), torch.randn(3), torch.tensor([True, False, True, True, True])
