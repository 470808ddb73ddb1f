"""
title: Sampling a token with torch.multinomial
description: >
  The token is drawn by the operator itself, from the random numbers of the program. A capture must
  draw anew in each call; with the same seed it should draw the same.
tags: [torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits):
        return logits.softmax(-1).multinomial(1)


dynamic_shapes = {"logits": {0: Dim("batch", min=1, max=8), 1: Dim("words", min=1, max=64)}}


def inputs(batch=3, words=11):
    return (torch.randn(batch, words),)
