"""
title: Low-rank adapter merged before the model is captured
description: >
  The product of the small matrices is added to the weight when the module is made, so forward has
  nothing to change and nothing to remember.
tags: [torch.module, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        down, up = torch.full((2, 3), 0.5), torch.full((4, 2), 0.25)
        self.register_buffer("merged_weight", torch.eye(4)[:, :3] + up @ down)

    def forward(self, x):
        return x @ self.merged_weight.T


def inputs():
    return torch.randn(5, 3)
