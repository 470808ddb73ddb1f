"""
title: Year of the clock read in the constructor
description: >
  The clock is read when the model is made. forward sees a number on the module, and that it is a
  constant of the graph surprises nobody.
tags: [python.builtin, python.attribute, torch.specialization]
"""

import datetime

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.years = min(datetime.datetime.now().year - 1970, 50)

    def forward(self, x):
        return x * (1 + self.years / 100)


def inputs():
    return torch.randn(3, 4)
