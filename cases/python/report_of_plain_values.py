"""
title: Report of plain values beside tensors
description: >
  A model gives back what a caller logs: a word, a flag, None, a count of more than 32 bits and a
  tuple that is empty. They come from Python, not from a tensor, and are to come back as they are.
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
