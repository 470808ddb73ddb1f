"""
title: Logits of the last positions, the start computed from the length
description: >
  length - keep is no negative number, so the slice is easy to follow; but for 0 it is the end of
  the sequence, and nothing is left where -keep would have given everything.
advice: >
  Pass the positions as a tensor, as in transformers/positions_to_keep: their number may be 0 or
  all of them.
tags: [torch.scalar-input, torch.dim-hint, torch.zero-one, torch.view]
errors: [E0103]
dims: {keep: {min: 0, max: 7}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, hidden, keep: int):
        return hidden[:, hidden.shape[1] - keep :].softmax(-1)


dynamic_shapes = {"hidden": None, "keep": Dim.DYNAMIC}


def inputs(keep=3):
    return torch.randn(2, 7, 4), keep
