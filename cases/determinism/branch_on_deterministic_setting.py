"""
title: if on torch.are_deterministic_algorithms_enabled()
description: >
  forward asks whether torch.use_deterministic_algorithms is on. The answer is a bool of the whole
  process and no input, so while tracing it becomes a constant: the capture goes on as the setting
  was then, whatever it is at a later call.
tags: [torch.determinism, torch.specialization, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.softmax(1)
        if torch.are_deterministic_algorithms_enabled():
            y = y.round(decimals=2)
        return y


def inputs():
    return torch.randn(3, 4)
