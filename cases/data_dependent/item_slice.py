"""
title: Slicing up to a value of a tensor
description: >
  The end of a slice is cut at the length of the tensor and counts from the end when it is
  negative, so the size of the result depends on how the value lies to both. Checking that it is
  between 0 and the length leaves one formula.
tags: [torch.item, torch.unbacked-symbol, torch.view]
requires: [values]
dims: {k: {min: 0, max: 12}}
rewrites: [data_dependent/item_slice_checked]
narrower: {data_dependent/item_slice_checked: "a number beyond the length, and a negative one"}
references: [pytorch#119587]
errors: [E0803]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x[: k.item()] * 2


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def accepts():
    yield torch.randn(8, 3), torch.tensor(-2)
    yield torch.randn(8, 3), torch.tensor(-20)
