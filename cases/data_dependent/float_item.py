"""
title: Float read from a tensor with item()
description: >
  item() of a floating point tensor gives a symbolic float. Used as a factor it may be any number,
  and must not be stored as the one of the example.
tags: [torch.item, torch.unbacked-symbol, torch.sym-scalar]
requires: [values]
rewrites: [symbolic_scalars/float_input_as_tensor]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale.item()


def inputs():
    return torch.randn(3), torch.tensor(2.5)


def accepts():
    yield torch.randn(3), torch.tensor(0.0)
    yield torch.randn(3), torch.tensor(-1.25)
