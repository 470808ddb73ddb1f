"""
title: Module that answers for its attributes with __getattribute__
description: >
  Every attribute is read through the module's own method, which gives one of them in other units.
  Tracing that looks into the module's dict reads the value as it is kept. The rewrite converts it
  where it is used.
tags: [torch.module, python.attribute]
rewrites: [modules/attribute_converted_where_used]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.decibels = 20.0
        self.layer = torch.nn.Linear(3, 2)

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        return 10 ** (value / 20) if name == "decibels" else value

    def forward(self, x):
        return self.layer(x) * self.decibels


def inputs():
    return torch.randn(4, 3)
