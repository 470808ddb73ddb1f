"""
title: String input that chooses a function
description: >
  The mode is a Python string, a constant while tracing, so only one function is left. A capture
  made for one mode has to refuse another.
advice: >
  Export once for each mode, and let the caller choose: a string is a constant of the graph.
tags: [torch.scalar-input, torch.specialization, python.control-flow]
pitfalls: [dynamic_shapes/string_input_with_hint]
references: [pytorch#131594]
errors: [E0103]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, activation: str):
        return getattr(torch, activation)(x)


def inputs():
    return torch.randn(3, 4), "relu"


def accepts():
    yield torch.randn(3, 4), "tanh"
