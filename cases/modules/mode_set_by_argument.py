"""
title: train() or eval() called inside forward
description: >
  The caller says with each call whether dropout is on. train() and eval() choose a branch of
  Python and leave no operator, so a graph has the mode of the example. The module that export
  gives back has an eval() that raises, so the mode has to be right before the capture.
advice: >
  Export once for each mode: no operator of a graph turns dropout off, and eval() on the exported
  module raises.
tags: [torch.module, torch.specialization, torch.random, torch.scalar-input]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = torch.nn.Dropout(0.4)

    def forward(self, x, training: bool):
        self.dropout.train(training)
        return self.dropout(x) + 1


def inputs():
    return torch.randn(6, 7), True


def accepts():
    yield torch.randn(6, 7), False
