"""
title: embedding, index_select and gather with a number that is no row
description: >
  Only x[i] counts a negative number from the end; the functions that look rows up raise for it, as
  for one beyond the last row. A capture that answers with some row hides a wrong token.
tags: [torch.operator]
models: [Embedded, Selected, Gathered]
references: [pytorch#151918, pytorch#169779]
"""

import torch


class Embedded(torch.nn.Module):
    def forward(self, table, rows):
        return torch.nn.functional.embedding(rows, table) * 2


class Selected(torch.nn.Module):
    def forward(self, table, rows):
        return table.index_select(0, rows) * 2


class Gathered(torch.nn.Module):
    def forward(self, table, rows):
        return table.gather(0, rows[:, None]) * 2


def inputs():
    return torch.randn(6, 3), torch.tensor([4, 0, 5, 4])


def rejects():
    for wrong in (-1, 6, -6):
        yield torch.randn(6, 3), torch.tensor([4, wrong, 5, 4])
