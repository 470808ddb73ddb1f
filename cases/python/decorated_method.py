"""
title: Decorated method
description: >
  A decorator wraps a method called from forward. The wrapper is ordinary Python that runs while
  tracing; what it adds is recorded with the rest.
tags: [python.decorator]
references: [pytorch#106699]
"""

import functools

import torch


def scaled(factor):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * factor

        return wrapper

    return decorate


class Model(torch.nn.Module):
    @scaled(3)
    def body(self, x):
        return x.sin()

    def forward(self, x):
        return self.body(x) + 1


def inputs():
    return (torch.randn(3, 4),)
