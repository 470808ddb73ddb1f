"""
title: Enum member among the outputs
description: >
  The model says of its result what kind it is, as a member of an Enum. It is the same at every
  call, and the caller compares it with `is`: its value, a text, is no member.
advice: >
  Return the tensors alone and add the member where the capture is called: it is the same at every
  call.
tags: [python.data-structure]
"""

import enum

import torch


class Kind(enum.Enum):
    SHARES = "shares"
    SCORES = "scores"


class Model(torch.nn.Module):
    def forward(self, x):
        return x.softmax(1), Kind.SHARES


def inputs():
    return torch.randn(3, 4)
