"""
title: Embedding with max_norm, which shortens rows of its table as they are looked up
description: >
  Rows that are longer than max_norm are shortened in the table itself, before they are looked up:
  the forward writes into a parameter.
tags: [torch.module, torch.mutation, torch.parameter]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(6, 4, max_norm=1.0)

    def forward(self, at):
        return self.table(at) * 2


def inputs():
    return (torch.tensor([0, 3, 3, 5]),)
