"""
title: Call with an argument too many, too few or of an unknown name
description: >
  Python refuses such a call. So should a capture: one that ignores what it does not know, or fills
  in what is missing from the example, hides a mistake of its caller.
tags: [python.kwargs, torch.specialization]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, *, shift):
        return x * y + shift


def inputs():
    return (torch.randn(3, 4), torch.randn(3, 4)), {"shift": torch.randn(4)}


def rejects():
    (x, y), given = inputs()
    yield (x, y, x), given
    yield (x,), given
    yield (x, y), {}
    yield (x, y), {**given, "scale": x}
    yield (x, y), {"shift": given["shift"], "y": y}
