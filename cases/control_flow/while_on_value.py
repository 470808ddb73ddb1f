"""
title: while loop whose condition reads a tensor
description: >
  Python has to know after each round whether to go on, and the values are not known while
  tracing. A tracer either stops, or unrolls as many rounds as the example takes. while_loop keeps
  the loop itself in the graph.
tags: [python.control-flow]
requires: [values]
rewrites: [control_flow/while_loop]
references: [pytorch#93579]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        while x.sum() < 100:
            x = x * 2
        return x.clone()


def inputs():
    return (torch.rand(3, 4) + 1,)


def accepts():
    yield (torch.full((3, 4), 0.1),)
    yield (torch.full((3, 4), 100.0),)
