"""
title: Empty lists and tuples in the output
description: >
  The output has the places for hidden states and attentions that nobody asked for: an empty tuple
  and a list without entries. They hold no tensor and belong to the structure all the same.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return {"logits": x.tanh(), "hidden": (), "attentions": [], "nested": [((), {})]}


def inputs():
    return torch.randn(3, 4)
