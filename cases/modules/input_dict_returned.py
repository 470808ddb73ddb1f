"""
title: Input dict filled and returned
description: >
  forward puts its result into the dict that the caller gave and returns that same dict. The
  caller's own dict has a new entry afterwards, and the old entries are passed through.
tags: [python.data-structure, torch.aliasing]
rewrites: [modules/new_dict_returned]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, batch):
        batch["sum"] = batch["x"] + batch["y"]
        return batch


def inputs():
    return ({"x": torch.randn(3, 4), "y": torch.randn(3, 4)},)
