"""
title: New dict returned in place of the changed input
description: >
  The result is a dict of its own with the entries of the input and one more. The caller's dict
  stays as it was.
tags: [python.data-structure, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, batch):
        return {**batch, "sum": batch["x"] + batch["y"]}


def inputs():
    return ({"x": torch.randn(3, 4), "y": torch.randn(3, 4)},)
