"""
title: Parameter changed in place in forward
description: >
  The weight is rescaled under no_grad before it is used, as weight constraints do. The changed
  weight has to stay in the module after the call.
tags: [torch.mutation, torch.parameter]
errors: [E0217, E0307]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(6, 4))

    def forward(self, x):
        with torch.no_grad():
            self.weight.clamp_(-0.5, 0.5)
        return x @ self.weight.T


def inputs():
    return (torch.randn(3, 4),)
