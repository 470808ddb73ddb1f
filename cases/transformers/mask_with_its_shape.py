"""
title: Mask of attention returned together with its torch.Size
description: >
  Whoever calls the mask builder broadcasts the mask later and wants its shape as a torch.Size,
  which has numel() and is no plain tuple. A capture whose outputs are a pytree gives a tuple of the
  same numbers.
advice: >
  Return the mask alone, and take its shape where the capture is called: that is a torch.Size.
tags: [python.data-structure, torch.attention]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        at = torch.arange(x.shape[1])
        mask = (at <= at[:, None]).expand(x.shape[0], 1, -1, -1)
        return {"mask": mask, "shape": mask.shape, "sides": [mask.size()[2:], mask.dim()]}


def inputs():
    return torch.randn(2, 5, 3)
