"""
title: Layer of a ModuleList chosen by a value of a tensor
description: >
  layers[k.item()] asks Python for the place in a list, and the number is not there while tracing.
  A list of modules cannot be indexed by a symbol.
tags: [torch.module, torch.item, torch.unbacked-symbol]
requires: [values]
dims: {k: {min: 0, max: 2}}
rewrites: [modules/layer_chosen_by_index_select, modules/layer_chosen_by_cond]
pitfalls: [data_dependent/branch_on_item]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 6) for _ in range(3)])

    def forward(self, x, k):
        return self.layers[k.item()](x)


def inputs(k=2):
    return torch.randn(5, 4), torch.tensor(k)
