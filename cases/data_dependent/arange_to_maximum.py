"""
title: Padding mask up to the longest length in the batch
description: >
  arange(lengths.max().item()) makes a mask as wide as the longest sequence, so the width of the
  result depends on data. A mask as wide as the padded batch needs no number read from a tensor.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/mask_as_wide_as_batch]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        longest = lengths.max().item()
        mask = torch.arange(longest, device=x.device) < lengths[:, None]
        return (x[:, :longest] * mask).sum(1)


def inputs():
    return torch.randn(3, 7), torch.tensor([4, 2, 5])


def accepts():
    yield torch.randn(3, 7), torch.tensor([7, 1, 3])
    yield torch.randn(3, 7), torch.tensor([1, 0, 1])
    yield torch.randn(3, 7), torch.tensor([0, 0, 0])


def rejects():
    yield torch.randn(3, 7), torch.tensor([8, 1, 3])
