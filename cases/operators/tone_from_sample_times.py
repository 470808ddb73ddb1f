"""
title: arange with a fractional step and linspace as sample times
description: >
  Times are an arange with a fractional step or a linspace. Each element is computed from its
  index; adding up the step instead is off by so much at the end that the phase is another.
tags: [torch.operator]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, pitch):
        times = torch.arange(0, 2, 1 / 1000)
        even = torch.linspace(0, 2, 2001)
        falling = torch.arange(3, -1, -0.25), torch.arange(7, 0, -2), torch.linspace(1, -1, 9)
        phase = times * 6.2831855 * 50 * pitch[:, None]
        return phase.sin(), (even * 300 * pitch[:, None]).cos(), falling, torch.logspace(0, 3, 7)


def inputs():
    return torch.tensor([1.0, 1.5, 2.25])
