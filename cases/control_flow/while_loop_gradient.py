"""
title: Gradient through while_loop
description: >
  The loop doubles x until it is large enough, so the gradient is two to the number of rounds.
  The backward has to go through as many rounds as the forward did, which only the data knows.
tags: [torch.while-loop, torch.autograd]
requires: [values]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def unfinished(x):
            return x.sum() < 100

        def double(x):
            return (x * 2,)

        return torch.while_loop(unfinished, double, (x,))[0]


def inputs():
    return (torch.rand(3, 4) + 1).requires_grad_()


def accepts():
    yield torch.full((3, 4), 0.1).requires_grad_()
    yield torch.full((3, 4), 20.0).requires_grad_()
