"""
title: Full backward hook on a submodule
description: >
  register_full_backward_hook sees the gradients that flow through a submodule and may replace
  them. The module's results stay the same, its gradients do not.
tags: [torch.module, torch.autograd, python.closure]
rewrites: [modules/gradient_scaled_before_submodule]
pitfalls: [modules/gradient_hook_on_tensor]
train: true
errors: [E0320]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Linear(4, 6)
        self.second = torch.nn.Linear(6, 2)
        self.second.register_full_backward_hook(lambda module, given, got: (given[0] * 5,))

    def forward(self, x):
        return self.second(self.first(x).sin())


def inputs():
    return torch.randn(3, 4)
