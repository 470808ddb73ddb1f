"""
title: Count of answers checked to be within limits with torch._check
description: >
  An average over fewer than three answers, or over more than there were people, must not come out
  of the model. Both limits are checked on a count that is read from the data, so the graph has to
  compare it in every call; what is not checked gives an average like any other.
tags: [torch.check, torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, rating, answered):
        count = answered.sum().item()
        torch._check(count >= 3)
        torch._check(count <= 9)
        return (rating * answered).sum() / answered.sum()


def inputs():
    return torch.randn(6), torch.tensor([1, 0, 2, 1, 0, 1])


def accepts():
    yield torch.randn(6), torch.tensor([1, 0, 1, 0, 1, 0])
    yield torch.randn(6), torch.tensor([3, 2, 1, 1, 1, 1])


def rejects():
    yield torch.randn(6), torch.tensor([1, 0, 0, 0, 1, 0])
    yield torch.randn(6), torch.tensor([3, 2, 2, 1, 1, 1])
