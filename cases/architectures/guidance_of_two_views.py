"""
title: Classifier-free guidance, the doubled batch viewed as two
description: >
  unflatten makes a dimension of two out of the doubled batch and leaves the other to be computed.
  How many halves there are is then written in the program.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.predict = torch.nn.Linear(4, 4)

    def forward(self, x, condition, scale):
        both = torch.cat([x, x]) + torch.cat([torch.zeros_like(condition), condition])
        without, given = self.predict(both).unflatten(0, (2, -1))
        return without + scale * (given - without)


batch = Dim("batch", min=1, max=8)
dynamic_shapes = {"x": {0: batch}, "condition": {0: batch}, "scale": None}


def inputs(batch=3):
    return torch.randn(batch, 4), torch.randn(batch, 4), torch.tensor(7.5)
