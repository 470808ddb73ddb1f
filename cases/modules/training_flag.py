"""
title: if on self.training
description: >
  The mode of the module is a Python bool. It is asked while tracing, and the branch of that
  moment is the one that stays in the graph: choose train() or eval() before the capture.
tags: [torch.module, python.control-flow, python.attribute, torch.specialization]
allow:
  L063: the mode is the module's, and no input changes it
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.eval()

    def forward(self, x):
        if self.training:
            return x + torch.rand(3, 4)
        else:
            return x * 2


def inputs():
    return torch.randn(3, 4)
