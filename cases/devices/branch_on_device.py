"""
title: Branch on the device of the input
description: >
  Kernels that differ by device are chosen by an if on x.device. Tracing takes the branch of the
  example and keeps no guard on the device, so that a capture made elsewhere silently answers an
  input on the CPU with the other branch.
tags: [torch.device, python.control-flow, torch.guard]
references: [pytorch#151010]
allow:
  L063: an input on another device needs that device
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.device.type == "cpu":
            return x.relu()
        return torch.nn.functional.leaky_relu(x, 0.5)


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield torch.randn(5, 3, device="cpu")
