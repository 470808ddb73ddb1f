"""
title: Empty list and empty dict as inputs of the first step
description: >
  At the first step there are no states yet, only an empty list and an empty dict; each step
  appends its own. The sizes come as a tuple, to which another one is appended.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, states, named, size):
        states = states + [x.mean(0)]
        named = {**named, "first": states[0]}
        return states, named, x.reshape(size + (2,))


def inputs():
    return torch.randn(4, 6), [], {}, (4, 3)
