"""
title: Python if on whether an input requires a gradient
description: >
  The program adds noise only where a gradient is wanted, as some layers choose between a training
  and an inference path. The question is answered once, for the example; no check of the inputs
  asks it again. Pass a flag, or ask self.training.
advice: >
  Pass a flag instead, or export once for each path: no graph asks whether an input requires a
  gradient.
tags: [torch.autograd, torch.specialization, python.control-flow]
pitfalls: [autograd/branch_on_grad_mode]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.requires_grad:
            return x.detach() * 2
        return x + 1


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(3, 4, requires_grad=True)
