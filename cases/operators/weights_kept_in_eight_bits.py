"""
title: Floats of eight bits, and what does not fit into them
description: >
  A cast to float8_e5m2 gives infinities for numbers that are too large, to float8_e4m3fn NaN or
  the largest number; nothing clamps them unless the program does.
tags: [torch.dtype, torch.quantized]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        wide, fine = x.to(torch.float8_e5m2), (x / 1e4).to(torch.float8_e4m3fn)
        return wide.to(torch.float32), fine.to(torch.float32) * 2


def inputs():
    return (torch.tensor([1e6, -2e5, 3.14159, 0.001, -7e4]),)
