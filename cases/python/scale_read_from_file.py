"""
title: open() of a file in forward
description: >
  A scale is read from a file in every call. The file is read while tracing, if tracing allows it at
  all, and what it said then stays. Here each call writes it first, so that eager always reads the
  same. The rewrite reads it once, in the constructor.
tags: [python.builtin, python.context-manager, torch.specialization]
rewrites: [python/scale_read_in_constructor]
errors: [E0305]
"""

import tempfile

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/scale.txt", "w") as file:
                file.write("2.5")
            with open(f"{folder}/scale.txt") as file:
                scale = float(file.read())
        return x * scale


def inputs():
    return torch.randn(3, 4)
