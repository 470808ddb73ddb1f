"""
title: Crop at a place drawn by random.randint
description: >
  Where the crop begins is drawn with Python's random module in forward, anew at every call. Drawn
  while tracing, the place is a constant, and the capture cuts out the same part for ever.
advice: >
  Draw the place with torch.randint and take the part by index_select: both are in the graph. Which
  numbers are drawn is not the same.
tags: [python.builtin, torch.random, torch.specialization]
errors: [E0214, E0601]
"""

import random

import torch


class Model(torch.nn.Module):
    def forward(self, sound):
        first = random.randint(0, 40)
        return sound[:, first : first + 8]


def inputs():
    return torch.randn(3, 48)
