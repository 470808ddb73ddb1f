"""
title: New tensor on the device of the input
description: >
  The program follows its input to any device, which is good style in eager. A capture writes the
  device of the example into the graph, so it serves inputs of that device only. Where the example
  is on the CPU this cannot be seen; elsewhere the input on the CPU is what the capture refuses.
tags: [torch.device, torch.specialization]
references: [pytorch#104998, pytorch#121761]
rewrites: [devices/like_the_input]
errors: [E0316]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + torch.arange(3.0, device=x.device)


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield torch.randn(5, 3, device="cpu")
