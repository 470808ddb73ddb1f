"""
title: Loop over the items of a ModuleDict
description: >
  Heads of a model stand under names in a ModuleDict, and the results are returned in a dict with
  the same names, in the order in which the heads were put in.
tags: [torch.module, python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.heads = torch.nn.ModuleDict(
            {"score": torch.nn.Linear(4, 2), "box": torch.nn.Linear(4, 3)}
        )

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


def inputs():
    return torch.randn(5, 4)
