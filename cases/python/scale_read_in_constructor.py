"""
title: Scale read from a file in the constructor
description: >
  The file is read when the model is made. forward sees a number on the module, which is a constant
  of the graph.
tags: [python.builtin, python.attribute, torch.specialization]
"""

import tempfile

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        with tempfile.TemporaryFile("w+") as file:
            file.write("2.5")
            file.seek(0)
            self.scale = float(file.read())

    def forward(self, x):
        return x * self.scale


def inputs():
    return torch.randn(3, 4)
