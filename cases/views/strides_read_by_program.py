"""
title: Program that computes with the strides of its input
description: >
  stride() gives plain numbers, which the program uses to fold the layout into its result. For an
  input of the same shape and other strides they are other numbers.
advice: >
  Give the strides as inputs of their own, or call contiguous() first where the result need not
  depend on them: a graph holds the example's as constants.
tags: [torch.stride, torch.specialization]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        rows, columns = x.stride()
        return x.sum() * 100 + 10 * rows + columns


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 9)[:, :4]
