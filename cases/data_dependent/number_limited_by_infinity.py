"""
title: min() of a value read with item() and an infinite limit
description: >
  The limit of a clip is infinite unless somebody sets it. min() of a number that is read from a
  tensor and an infinite float chooses by a guard, and where the result is used its range is
  computed as infinity minus infinity. The rewrite limits the tensor.
tags: [torch.item, torch.unbacked-symbol, python.builtin]
requires: [values]
rewrites: [data_dependent/mean_limited_in_tensor]
references: [pytorch#190417]
"""

import torch

LIMIT = float("inf")


class Model(torch.nn.Module):
    def forward(self, x):
        return x + min(x.mean().item(), LIMIT)


def inputs():
    return torch.randn(5)
