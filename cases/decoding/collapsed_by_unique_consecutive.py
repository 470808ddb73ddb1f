"""
title: Greedy CTC decoding with unique_consecutive
description: >
  Runs of one label become one, then blanks are dropped. Both steps give as many labels as the
  data says.
tags: [torch.data-dependent-shape, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits):
        labels = torch.unique_consecutive(logits.argmax(-1))
        return labels[labels != 0]


dynamic_shapes = {"logits": {0: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return (torch.nn.functional.one_hot(torch.arange(n) // 2 % 3, 3) + torch.rand(n, 3) / 2,)
