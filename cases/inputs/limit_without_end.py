"""
title: Limit that is infinite, and a mark that is no number
description: >
  An infinite limit says that there is none, and NaN marks what is missing. Both are Python
  numbers of the call, and a finite limit is another call.
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
