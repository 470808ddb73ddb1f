"""
title: List of tensors with another length than in the example
description: >
  The loop over the list is unrolled for the length of the example. A list with more tensors is a
  different structure; a capture has to refuse it, not drop the rest.
advice: >
  Export once for each length, or stack the tensors into one whose first dimension is dynamic: the
  number of tensors is part of the structure of a graph.
tags: [python.data-structure, torch.specialization]
errors: [E0203]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, tensors):
        return sum(t.sin() for t in tensors)


def inputs():
    return ([torch.randn(3), torch.randn(3)],)


def accepts():
    yield ([torch.randn(3), torch.randn(3), torch.randn(3)],)
    yield ([torch.randn(3)],)
