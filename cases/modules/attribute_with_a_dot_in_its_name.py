"""
title: Attribute whose name has a dot, like a buffer of a submodule
description: >
  Old weights were put on the module under their keys: "scale.factor" is a tensor of its own, beside
  the buffer factor of the submodule scale. What keeps tensors by their dotted names has one key for
  two tensors.
tags: [torch.module, torch.buffer, python.attribute]
rewrites: [modules/attributes_without_dots]
"""

import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factor", torch.tensor([2.0, -3.0, 4.0]))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        setattr(self, "scale.factor", torch.tensor([0.5, 0.25, 0.75]))

    def forward(self, x):
        return x * self.scale.factor - getattr(self, "scale.factor")


def inputs():
    return torch.randn(5, 3)
