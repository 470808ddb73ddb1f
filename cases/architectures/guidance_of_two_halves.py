"""
title: Classifier-free guidance with both predictions in one batch
description: >
  The sample is doubled for a run with and one without the condition, and the result is cut in two
  and mixed. Both halves have the batch size of the sample, which a cut of the doubled batch has to
  find out.
tags: [torch.dynamic-shape, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.predict = torch.nn.Linear(4, 4)

    def forward(self, x, condition, scale):
        both = torch.cat([x, x]) + torch.cat([torch.zeros_like(condition), condition])
        without, given = self.predict(both).chunk(2)
        return without + scale * (given - without)


batch = Dim("batch", min=1, max=8)
dynamic_shapes = {"x": {0: batch}, "condition": {0: batch}, "scale": None}


def inputs(batch=3):
    return torch.randn(batch, 4), torch.randn(batch, 4), torch.tensor(7.5)
