"""
title: weight_norm folded into the weight before the capture
description: >
  For inference the norm is constant. remove_weight_norm computes the weight once and makes it a
  plain parameter again, so neither hook nor parts are left.
tags: [torch.module, torch.parameter]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.utils.weight_norm(torch.nn.Linear(4, 6))
        with torch.no_grad():
            self.linear.weight_g.mul_(3.0)
        torch.nn.utils.remove_weight_norm(self.linear)

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(5, 4)
