"""
title: Sequences padded with -0.0
description: >
  The default of pad_sequence is 0.0, and -0.0 equals it. An argument that equals its default is
  left out on the way into a graph, so what is padded is 0.0, and what divides by it is infinite
  with the other sign. The rewrite pads each sequence by itself, with an argument that has no
  default.
tags: [torch.operator, torch.recurrent]
timeout: 180
rewrites: [operators/rows_padded_with_negative_zero]
"""

import torch
from torch.nn.utils.rnn import pad_sequence


class Model(torch.nn.Module):
    def forward(self, x, y):
        rows = pad_sequence([x, y], batch_first=True, padding_value=-0.0)
        return rows, 1 / rows


def inputs():
    return torch.randn(4, 2), torch.randn(3, 2)
