"""
title: torch.tensor([...]) made in forward and written to in place
description: >
  torch.tensor([0.0, ...]) in forward makes a new tensor in every call, and the call writes to it.
  A capture that keeps the literal as a constant and forgets to copy it goes on counting from the
  last call.
tags: [torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        tally = torch.tensor([0.0, 10.0, 20.0])
        grid = torch.zeros(3)
        tally += x.sum(0)
        tally[1] *= 2
        grid.add_(tally)
        return tally, grid, tally / torch.tensor(4.0)


def inputs():
    return torch.randn(5, 3)
