"""
title: Appending to a list attribute in forward
description: >
  forward keeps its results in a list on self, as one does for logging or hooks. While tracing,
  the list gets stand-ins for tensors; the graph has no operator that appends to a Python list.
  Returning what is to be kept, and leaving the keeping to the caller, avoids the question.
advice: >
  Return what is to be kept and let the caller append it, and count in a buffer instead of by the
  length of the list: a graph keeps tensors alone.
tags: [python.attribute, python.data-structure, torch.mutation]
pitfalls: [modules/dict_of_tensors_as_state]
references: [pytorch#159787, pytorch#153062]
errors: [E0512]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []

    def forward(self, x):
        y = x.tanh()
        self.history.append(y)
        return y + len(self.history)


def inputs():
    return (torch.randn(3, 4),)
