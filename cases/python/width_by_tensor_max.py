"""
title: Largest length taken by the tensor's own max
description: >
  lengths.max() is one operator of the graph. Its result is the end of a slice, which a capture
  keeps as a number that each call reads anew.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        return x[:, : lengths.max()].sum(1)


def inputs():
    return torch.randn(3, 7), torch.tensor([4, 2, 5])


def accepts():
    yield torch.randn(3, 7), torch.tensor([7, 1, 3])
    yield torch.randn(3, 7), torch.tensor([0, 0, 0])
    yield torch.randn(3, 7), torch.tensor([-6, -1, -3])
