"""
title: random number from Python's random module
description: >
  random.random() is called while tracing, and the number it gave becomes a constant: every call
  of the capture uses the same one. Random numbers that must be drawn anew come from torch, whose
  random operators are part of the graph (python/torch_random).
advice: >
  Draw the number with torch.rand(()), as in python/torch_random: that is part of the graph. Which
  numbers are drawn is not the same.
tags: [python.builtin, torch.random, torch.specialization]
errors: [E0214, E0305]
"""

import random

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * random.random()


def inputs():
    return (torch.randn(3, 4),)
