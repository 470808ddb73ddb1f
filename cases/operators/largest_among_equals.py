"""
title: argmax and argmin where several elements are equal
description: >
  argmax and argmin give the index of one of several equal elements; eager on the CPU gives the
  first, and NaN counts as largest.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.argmax(), x.argmin(), x.argmax(-1, keepdim=True)


def inputs():
    return torch.tensor([[1.0, 3.0, 3.0], [0.0, 0.0, 2.0]])


def accepts():
    yield torch.tensor([[2.0, 2.0, 1.0], [2.0, -1.0, -1.0]])
    yield torch.tensor([[0.0, float("nan"), 4.0], [4.0, 4.0, float("nan")]])
