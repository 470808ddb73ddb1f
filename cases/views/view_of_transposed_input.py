"""
title: view() that only some memory layouts allow
description: >
  view merges two dimensions without a copy, which is possible when they lie one behind the other
  in memory. The same shape with other strides makes eager raise; reshape would copy.
tags: [torch.view, torch.stride]
rewrites: [views/reshape_in_place_of_view]
pitfalls: [views/contiguous_before_view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(12) * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(3, 8)[:, ::2]


def rejects():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 8)[:, :4]
