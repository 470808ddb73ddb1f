"""
title: Tuple of a number and a flag on self, replaced by each call
description: >
  The state is a tuple of plain Python values. Each call makes a new one from the old, and the
  result depends on it; a capture keeps the values of the moment when it was made.
tags: [python.attribute, python.data-structure, torch.mutation]
references: [pytorch#106217]
rewrites: [modules/step_count_in_buffer]
pitfalls: [modules/tuple_of_tensors_as_state]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.progress = (0, True)

    def forward(self, x):
        step, even = self.progress
        self.progress = (step + 1, not even)
        return x * 2 + step if even else x - step


def inputs():
    return torch.randn(3, 4)
