"""
title: Literal of numbers made in forward and added to
description: >
  torch.tensor([...]) gives new memory with each call. A capture keeps the numbers as a constant, and
  has to copy it before what follows adds to it, or each call begins where the last one ended.
tags: [torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        total = torch.tensor([0.0, 10.0, 100.0])
        count = torch.tensor(0)
        for row in x:
            total += row
            count += 1
        return total, count


def inputs():
    return (torch.randn(4, 3),)
