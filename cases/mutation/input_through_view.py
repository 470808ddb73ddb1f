"""
title: Input changed in place through a view
description: >
  One column of the input is overwritten by an indexed assignment. The write goes through a view,
  and only that part of the caller's tensor changes.
tags: [torch.mutation, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x[:, 1] = x[:, 0] + 1
        return x.sum(0)


def inputs():
    return (torch.randn(3, 4),)
