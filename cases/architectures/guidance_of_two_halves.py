"""
title: Classifier-free guidance with both predictions in one batch
description: >
  The sample is doubled for a run with and one without the condition, and the result is cut in two
  and mixed. How many parts chunk makes is a quotient of sizes, which a tracer may be unable to show
  to be two. The rewrite views the doubled batch as two.
tags: [torch.dynamic-shape, torch.view, torch.guard]
rewrites: [architectures/guidance_of_two_views]
errors: [E0101]
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
