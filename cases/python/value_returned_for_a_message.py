"""
title: Value for a log message returned to the caller
description: >
  The mean is one of the outputs, a tensor in the graph like any other. The caller, who has the
  values, writes the message.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        mean = x.mean()
        return x - mean, mean


def inputs():
    return torch.randn(3, 4)
