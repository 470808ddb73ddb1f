"""
title: Data-dependent if on the value of a tensor
description: >
  Python's if needs a bool at once, but the value of a tensor is known only when the program runs.
  A tracer either stops here or follows the branch that the example takes and forgets the other.
  torch.cond keeps both branches in the graph; torch.where computes both and picks.
tags: [python.control-flow]
requires: [values]
rewrites: [control_flow/cond_on_value, control_flow/where_on_value]
pitfalls: [data_dependent/branch_on_item]
references: [pytorch#93579, pytorch#157355]
errors: [E0001, E0005, E0006]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x.sin()
        else:
            return x.cos()


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 1,)
    yield (-torch.rand(3, 4),)
    yield (torch.zeros(3, 4),)
