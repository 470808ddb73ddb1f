"""
title: functional.dropout with training=self.training
description: >
  The flag of the module says whether elements are dropped. It is a Python bool and a constant of
  the capture: here that of evaluation, which leaves the input as it is.
tags: [torch.module, torch.specialization, python.attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.eval()

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.4, training=self.training) + 1


def inputs():
    return torch.randn(6, 7)
