"""
title: Index of the largest where several are equal
description: >
  argmax and argmin give one index of several equal elements; eager on the CPU gives the first,
  and NaN counts as largest.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.argmax(), x.argmin(), x.argmax(-1, keepdim=True)


def inputs():
    return torch.tensor([[1.0, 3.0, 3.0], [0.0, 0.0, 2.0]])
