"""
title: Transposed view of a weight kept as an attribute
description: >
  The constructor stores weight.detach().t() on self, a tensor that is no parameter but shares the
  weight's memory. forward halves the weight, which shows in the view; a capture that was saved
  and loaded, or copied, with memory for each of the two goes on with the old numbers in the view.
tags: [torch.parameter, torch.aliasing, torch.view, torch.mutation, python.attribute]
rewrites: [modules/view_of_parameter_taken_in_forward]
errors: [E0429]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(4, 6))
        self.transposed = self.weight.detach().t()

    def forward(self, x):
        with torch.no_grad():
            self.weight.mul_(0.5)
        return x @ self.weight @ self.transposed


def inputs():
    return torch.randn(3, 4)
