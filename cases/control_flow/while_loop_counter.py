"""
title: while_loop that counts its rounds in a tensor
description: >
  The loop counter is one of the loop's values, a tensor like any other; the number of rounds is
  an input. Zero rounds is a legal count, so the body may never run.
tags: [torch.while-loop]
requires: [values]
references: [pytorch#158366]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, steps):
        def unfinished(i, x):
            return i < steps

        def step(i, x):
            return i + 1, torch.tanh(x) + 1

        _, out = torch.while_loop(unfinished, step, (torch.zeros_like(steps), x.clone()))
        return out


def inputs():
    return torch.randn(3, 4), torch.tensor(2)


def accepts():
    for steps in (0, 1, 5):
        yield torch.randn(3, 4), torch.tensor(steps)
