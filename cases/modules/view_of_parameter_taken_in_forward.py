"""
title: Transposed view of a weight taken in forward
description: >
  The view is made where it is used, from the parameter as it is then. There is one tensor to keep
  and nothing that could go stale.
tags: [torch.parameter, torch.view, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(4, 6))

    def forward(self, x):
        with torch.no_grad():
            self.weight.mul_(0.5)
        return x @ self.weight @ self.weight.detach().t()


def inputs():
    return torch.randn(3, 4)
