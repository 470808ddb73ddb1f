"""
title: Logits of the last positions, their number given as an int
description: >
  hidden[:, -keep:] takes the last positions, and all of them for 0, because -0 is 0: callers pass
  0 to mean everything. A slice whose start is an unknown int has to know both its sign and whether
  it is 0. The rewrite is given the positions.
tags: [torch.scalar-input, torch.dim-hint, torch.zero-one, torch.view]
rewrites: [transformers/positions_to_keep]
pitfalls: [transformers/logits_to_keep_from_length]
errors: [E0103]
dims: {keep: {min: 0, max: 7}}
allow:
  L052: 0 stands for every position there, and for none as a number of positions
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, hidden, keep: int):
        return hidden[:, -keep:].softmax(-1)


dynamic_shapes = {"hidden": None, "keep": Dim.DYNAMIC}


def inputs(keep=3):
    return torch.randn(2, 7, 4), keep
