"""
title: Forward hook that changes a result
description: >
  A hook on a submodule scales its result. It is called by the module's machinery, not by forward,
  so a tracer has to go through that too.
tags: [torch.module, python.closure]
errors: [E0320]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 6)
        self.linear.register_forward_hook(lambda module, inputs, output: output * 2)

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(3, 4)
