"""
title: Distinct values, rows and runs, without counts and without order
description: >
  Which of the answers are asked for changes what is returned, a tensor or a tuple. Distinct
  values in no order are sorted before they are compared.
tags: [torch.operator]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        alone = [x.unique(), x.unique(sorted=False).sort().values]
        alone += [torch.unique(x, return_inverse=True)]
        rows = x.unique(dim=0), x.unique(dim=1), torch.unique(x, dim=-1, return_inverse=True)
        runs = [x.unique_consecutive(), x.unique_consecutive(dim=0)]
        runs += [torch.unique_consecutive(x, return_counts=True, dim=-1)]
        marks = [(x > 1).unique(), x.to(torch.bfloat16).unique(return_counts=True)]
        marks += [torch.unique(x.mT, dim=0, return_counts=True)]
        return alone, rows, runs, marks


def inputs():
    return (torch.tensor([[1, 1, 3], [0, 0, 2], [1, 1, 3], [2, 2, 0]]),)
