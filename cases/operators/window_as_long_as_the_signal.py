"""
title: "A Hann window as long as the input: hann_window of a dynamic size"
description: >
  The functions that make windows take a plain int, so a size that is handed to them becomes a
  constant. The rewrite makes the window of arange by its formula, which keeps the size.
tags: [torch.operator, torch.dynamic-shape, torch.specialization]
rewrites: [operators/window_by_its_formula]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal):
        return signal * torch.hann_window(signal.shape[-1])


dynamic_shapes = {"signal": {1: Dim("n", min=2, max=64)}}


def inputs(n=7):
    return (torch.randn(3, n),)
