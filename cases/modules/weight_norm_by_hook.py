"""
title: weight_norm of torch.nn.utils, which works by a hook
description: >
  The older weight_norm registers a hook that runs before forward and sets the weight as an
  attribute computed from two parameters. Removing it before the export leaves a plain weight.
tags: [torch.module, torch.parameter, python.attribute]
references: [pytorch#118742]
rewrites: [modules/weight_norm_removed]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        with torch.no_grad():
            self.linear = torch.nn.utils.weight_norm(torch.nn.Linear(4, 6))
            self.linear.weight_g.mul_(3.0)
        self.requires_grad_(False)

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(5, 4)
