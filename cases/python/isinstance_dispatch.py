"""
title: isinstance and list handling in forward
description: >
  forward takes one tensor or a list of them, and treats the single one as a list of one. Types
  and lengths of containers are part of the structure of the example; a capture holds for that
  structure.
advice: >
  Export once for each kind of argument, and let the caller choose: the structure of the inputs is
  part of the graph.
tags: [python.builtin, python.data-structure]
pitfalls: [inputs/list_length_changes]
errors: [E0203, E0515]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if isinstance(x, torch.Tensor):
            x = [x]
        return sum(t.sin() for t in x)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield ([torch.randn(3, 4), torch.randn(3, 4)],)
