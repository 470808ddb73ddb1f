"""
title: super().forward in a chain of classes
description: >
  Each class adds something to the forward of its parent, and two parents meet in one class. Which
  forward comes next is decided by the order of the classes, not by the text.
tags: [torch.module, python.builtin]
"""

import torch


class Base(torch.nn.Module):
    def forward(self, x):
        return x.relu()


class Doubled(Base):
    def forward(self, x):
        return super().forward(x) * 2


class Shifted(Base):
    def forward(self, x):
        return super().forward(x) + 3


class Model(Doubled, Shifted):
    def forward(self, x):
        return super().forward(x - 1)


def inputs():
    return torch.randn(4, 5)
