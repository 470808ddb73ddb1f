"""
title: Entry added to an input dict
description: >
  forward stores a result in the dict it was given, so the caller's dict has one entry more
  afterwards. A graph has no operator for that. Returning the entry, and letting the caller store
  it, avoids the question.
advice: >
  Return the new entry, and let the caller store it: no operator of a graph adds to a dict.
tags: [python.data-structure, torch.mutation]
references: [pytorch#147213]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, batch):
        batch["double"] = batch["x"] * 2
        return batch["double"] + 1


def inputs():
    return ({"x": torch.randn(3, 4)},)
