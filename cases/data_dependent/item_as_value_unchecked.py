"""
title: Value of a tensor used in arithmetic
description: >
  item() only to compute with the number. Nothing depends on how large it is, so nothing has to be
  known of it. Leaving item() away and computing with the tensor does the same.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [dynamic_shapes/int_input_as_tensor]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x * k.item()


def inputs():
    return torch.randn(3), torch.tensor(4)


def accepts():
    yield torch.randn(3), torch.tensor(0)
    yield torch.randn(3), torch.tensor(1)
    yield torch.randn(3), torch.tensor(-7)
