"""
title: A count of calls kept as a tensor in a dict on self
description: >
  The count is no buffer, so that a capture takes it for a constant; adding a number to it needs
  nothing of the inputs, and is done for real while the program is traced. What is saved then
  begins at one instead of zero. The rewrite counts in a buffer.
tags: [python.attribute, python.data-structure, torch.mutation]
rewrites: [modules/count_kept_in_buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {"calls": torch.zeros(4)}

    def forward(self, x):
        return x + self.kept["calls"].add_(1)


def inputs():
    return torch.randn(3, 4)
