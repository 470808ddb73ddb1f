"""
title: Relative positions in buckets, as T5 has them
description: >
  Distances up to four have a bucket each, longer ones share buckets on a logarithmic scale. The
  matrix of distances is made from two dynamic lengths and indexes a table of biases.
tags: [torch.attention, torch.dynamic-shape]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Embedding(8, 2)

    def forward(self, scores):
        queries, keys = (torch.arange(size) for size in scores.shape[1:])
        distance = (queries[:, None] - keys).clamp(min=0)
        scale = torch.log(distance.clamp(min=4) / 4) / math.log(32 / 4)
        far = (4 + (scale * 4).long()).clamp(max=7)
        bucket = torch.where(distance < 4, distance, far)
        return scores + self.bias(bucket).permute(2, 0, 1)


dynamic_shapes = {"scores": {1: Dim("n", min=1, max=48), 2: Dim("m", min=1, max=48)}}


def inputs(n=9, m=11):
    return (torch.randn(2, n, m),)
