"""
title: Beams that begin as copies of one prompt and are written apart
description: >
  repeat and tile copy: each beam has a place of its own that is written later. Replaced by expand,
  which shows one place several times, a write into one beam shows in all of them.
tags: [torch.mutation, torch.aliasing, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, prompt, score):
        beams = prompt.repeat(3, 1)
        beams[:, -1] = torch.arange(3)
        beams[1] += 10
        scores = score[:, None].tile(1, 4)
        scores[:, 1:] = -torch.inf
        scores[:1, 0] = 2.0
        return beams, scores, scores.max(1)[1], prompt[None].repeat(2, 1, 1)


dynamic_shapes = {"prompt": {1: Dim("n", min=2, max=16)}, "score": None}


def inputs(n=5):
    return torch.arange(n)[None], torch.randn(3)
