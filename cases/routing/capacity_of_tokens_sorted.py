"""
title: Mixture of depths with the places of the best tokens cut from the sorted order
description: >
  argsort orders all tokens, and a slice takes the better half. A slice may end anywhere, so the
  half of a dynamic size is accepted as it is.
tags: [torch.scatter, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scores):
        places = scores.argsort(dim=1, descending=True)[:, : x.shape[1] // 2]
        places = places[..., None].expand(-1, -1, x.shape[2])
        worked = torch.tanh(x.gather(1, places)) + 1
        return x.scatter(1, places, worked)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {1: n}, "scores": {1: n}}


def inputs(n=7):
    return torch.randn(4, n, 3), torch.randn(4, n)
