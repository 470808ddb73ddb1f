"""
title: Noise drawn once and used twice
description: >
  One draw is kept in a variable, so both uses have the same numbers without a word about the state
  of the generator.
tags: [torch.random, torch.determinism]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        noise = torch.rand(3, 4)
        return x + noise, x * noise


def inputs():
    return torch.randn(3, 4)
