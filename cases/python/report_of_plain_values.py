"""
title: str, bool, None, int and an empty tuple among the outputs
description: >
  A model returns what a caller logs: a string, a flag, None, a count of more than 32 bits and an
  empty tuple. They come from Python, not from a tensor, and have to come back as they are.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        seen = 5_000_000_000 + x.dim()
        report = {"kind": "mean", "trained": False, "seen": seen, "notes": (), "left": None}
        return {"flags": [True, 2 * x.dim() == 4], "mean": x.mean(0), "report": report}


def inputs():
    return torch.randn(5, 3)
