"""
title: if on whether gradients are enabled
description: >
  torch.is_grad_enabled() is answered while tracing. Inside the no_grad block the answer is no,
  outside it is what the caller had while tracing; both become constants.
advice: >
  Pass a flag instead, or export once in each mode: no graph asks whether gradients are enabled.
tags: [torch.autograd, torch.specialization, python.control-flow]
pitfalls: [autograd/branch_on_requires_grad]
allow:
  L063: the first question stands in no_grad, so that it is answered no
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            inner = x + 1 if torch.is_grad_enabled() else x - 1
        outer = x * 2 if torch.is_grad_enabled() else x * 3
        return inner, outer


def inputs():
    return torch.randn(3, 4)
