"""
title: Infinite limit and NaN marker as float inputs
description: >
  An infinite limit means that there is none, and NaN marks missing values. Both are Python floats
  of the call; a later call with a finite limit has to be refused or computed.
tags: [torch.scalar-input, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, least, mark):
        logs = x.log().clamp(min=least)
        return logs, torch.where(x > 2, mark, x), logs.isinf().sum() * 2


def inputs():
    return torch.tensor([0.0, 0.5, 1.0, 3.0]), float("-inf"), float("nan")


def accepts():
    yield torch.tensor([2.5, 0.0, 0.0, 0.25]), float("-inf"), float("nan")


def rejects():
    yield torch.tensor([0.0, 0.5, 1.0, 3.0]), -4.0, float("nan")
    yield torch.tensor([0.0, 0.5, 1.0, 3.0]), float("-inf"), float("inf")
