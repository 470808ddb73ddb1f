"""
title: Context manager written with contextlib
description: >
  A with block changes a setting of the module and puts it back. Enter and exit run while tracing,
  in the order in which eager runs them.
tags: [python.context-manager, python.attribute]
"""

import contextlib

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 1.0

    @contextlib.contextmanager
    def scaled(self, factor):
        before, self.scale = self.scale, factor
        try:
            yield
        finally:
            self.scale = before

    def body(self, x):
        return x * self.scale

    def forward(self, x):
        with self.scaled(3.0):
            inside = self.body(x)
        return inside, self.body(x)


def inputs():
    return (torch.randn(3, 4),)
