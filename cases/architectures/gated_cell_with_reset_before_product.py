"""
title: Recurrent cell with its reset gate before the matrix product, and with coupled gates
description: >
  GRUCell applies the reset gate behind the product and keeps what its update gate says, in the
  order reset, update, new. Cells as they were published apply it before, or let one gate decide
  what is forgotten and what is written.
tags: [torch.recurrent, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gates, self.new = torch.nn.Linear(10, 12), torch.nn.Linear(10, 6)

    def forward(self, x, h):
        update, reset = self.gates(torch.cat([x, h], 1)).sigmoid().chunk(2, 1)
        new = self.new(torch.cat([x, reset * h], 1)).tanh()
        state = update * new + (1 - update) * h
        return state, (1 - update) * new + update * h, reset * state.tanh()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "h": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 6)
