"""
title: More draws than there are tokens, with replacement
description: >
  Several continuations are drawn for each row at once, and one token may come more than once.
  Without replacement there would be too few tokens to draw from.
tags: [torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits, temperature):
        chances = (logits / temperature).softmax(-1)
        drawn = chances.multinomial(6, replacement=True)
        return drawn, chances.gather(-1, drawn).log()


dynamic_shapes = {"logits": {0: Dim("batch", min=1, max=8)}, "temperature": None}


def inputs(batch=3):
    return torch.randn(batch, 4), torch.tensor(0.8)
