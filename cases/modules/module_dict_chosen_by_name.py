"""
title: ModuleDict entry chosen by a string input
description: >
  The caller names the head. The name is a Python string and becomes a constant while tracing, so
  just that head is in the capture, and a call with another name must be refused. A capture for
  each name is the way out.
advice: >
  Export once for each name, and let the caller choose: a string is a constant of the graph.
tags: [torch.module, torch.scalar-input, torch.specialization]
pitfalls: [dynamic_shapes/string_input_with_hint, modules/layer_chosen_by_item]
errors: [E0103]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.heads = torch.nn.ModuleDict(
            {"cat": torch.nn.Linear(4, 3), "dog": torch.nn.Linear(4, 3)}
        )

    def forward(self, x, name: str):
        return self.heads[name](x)


def inputs():
    return torch.randn(5, 4), "dog"


def accepts():
    yield torch.randn(5, 4), "cat"
