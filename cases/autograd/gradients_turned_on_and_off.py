"""
title: Gradients switched off for a part, and on again inside of it
description: >
  Statistics are taken under no_grad, one branch within that block enables gradients again, and
  one loss is detached. A capture that loses any of this computes the same values and different
  gradients.
tags: [torch.sweep, torch.autograd, python.context-manager]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.linspace(0.5, 1.5, 4))
        self.frozen = torch.nn.Parameter(torch.linspace(2, 3, 4), requires_grad=False)

    def forward(self, x):
        with torch.no_grad():
            mean = (x * self.scale).mean(0)
            with torch.enable_grad():
                inner = (x - mean) * self.scale
        with torch.set_grad_enabled(False):
            spread = (x * self.scale).std(0)
        straight = x + (x.round() - x).detach()
        return inner * self.frozen, x * self.scale / spread, straight * self.scale


def inputs():
    return torch.randn(5, 4, requires_grad=True)
