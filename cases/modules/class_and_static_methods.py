"""
title: Class methods, static methods and type(self)
description: >
  forward calls a static method, a class method that reads an attribute of the class, and looks a
  function up on type(self). A subclass changes what they find.
tags: [torch.module, python.decorator, python.attribute]
"""

import torch


class Base(torch.nn.Module):
    factor = 2

    @staticmethod
    def shift(x):
        return x + 1

    @classmethod
    def scale(cls, x):
        return x * cls.factor

    def forward(self, x):
        return type(self).scale(self.shift(x)) - type(self).factor


class Model(Base):
    factor = 5

    @staticmethod
    def shift(x):
        return x - 3


def inputs():
    return torch.randn(3, 4)
