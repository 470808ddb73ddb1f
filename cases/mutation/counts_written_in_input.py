"""
title: Input tensors of ints and bools written in place
description: >
  The caller's tensor of counts is increased where IDs occur, a mask is filled, and a slot in the
  middle of a larger tensor is set. All of them are integer or bool tensors, and one is a view.
tags: [torch.mutation, torch.scatter]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, counts, seen, slots, ids):
        before = counts.sum()
        counts.index_add_(0, ids, torch.ones_like(ids))
        seen[ids] = True
        slots[1:3] = counts[:2]
        slots[::2] -= 1
        return before, counts * 2, seen.sum(), slots + 0


def inputs():
    slots = torch.arange(18).reshape(6, 3)[:, 1]
    return (
        torch.tensor([3, 0, 2, 5]),
        torch.zeros(4, dtype=torch.bool),
        slots,
        torch.tensor([1, 3, 1]),
    )


def accepts():
    slots = torch.arange(6) * 10
    yield (
        torch.tensor([0, 0, 7, 1]),
        torch.tensor([True, False] * 2),
        slots,
        torch.tensor([0, 0, 2]),
    )
