"""
title: Low-rank adapter chosen by name
description: >
  The adapters lie in a ModuleDict, and forward is told with a string which one to add to the
  layer. The string is structure, not data: a capture holds one adapter, and has to refuse the
  name of another.
tags: [torch.module, torch.scalar-input, torch.specialization]
pitfalls: [dynamic_shapes/string_input_with_hint, modules/layer_chosen_by_item]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base = torch.nn.Linear(3, 4)
        self.adapters = torch.nn.ModuleDict()
        for name in ("english", "french"):
            down, up = torch.nn.Linear(3, 2, bias=False), torch.nn.Linear(2, 4, bias=False)
            self.adapters[name] = torch.nn.Sequential(down, up)

    def forward(self, x, name: str):
        return self.base(x) + self.adapters[name](x)


def inputs():
    return torch.randn(5, 3), "english"


def rejects():
    yield torch.randn(5, 3), "french"
    yield torch.randn(5, 3), "german"
