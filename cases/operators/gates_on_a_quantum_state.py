"""
title: Gates applied to a quantum state in complex128
description: >
  The amplitudes are complex numbers in double precision. A gate acts on one qubit of the register, a phase turns some
  amplitudes, and the chances are the squares of their sizes, which must add up to one.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        mixed = torch.tensor([[1, 1], [1, -1j]], dtype=torch.complex128) / math.sqrt(2)
        self.register_buffer("gate", mixed)

    def forward(self, state, angle):
        first, second = state.unflatten(1, (2, 2)).unbind(2)
        turned = torch.stack([first, second * torch.polar(torch.ones_like(angle), angle)], 2)
        out = torch.einsum("ij,njk->nik", self.gate, turned).flatten(1)
        return out, out.abs().square(), torch.linalg.vecdot(state, out)


dynamic_shapes = {"state": {0: Dim("n", min=1, max=16)}, "angle": None}


def inputs(n=5):
    real, imaginary = torch.linspace(-1, 1.3, n * 8, dtype=torch.float64).reshape(2, n, 4)
    return torch.complex(real, imaginary), torch.tensor(0.7, dtype=torch.float64)
