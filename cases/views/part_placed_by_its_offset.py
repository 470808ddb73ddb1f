"""
title: Where a view begins in its memory, and the same view made anew
description: >
  storage_offset and stride say where the elements of a view lie. as_strided makes the view again from the whole; a
  capture that takes the offset to be nought reads from the beginning.
tags: [torch.stride, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, table):
        part = table[2:, 1::2]
        again = torch.as_strided(table, part.shape, part.stride(), part.storage_offset())
        return part.storage_offset(), part.stride(), again * 2, part.is_contiguous()


def inputs():
    return torch.arange(35.0).reshape(5, 7)


def accepts():
    yield inputs().flip(0) + 1
