"""
title: Local attention over overlapping windows of a sequence, by unfold
description: >
  unfold cuts the sequence into windows of eight tokens, four apart, as a view: each token is in two
  of them. The strides of the view overlap, and whether it counts as contiguous is a question about
  the length. The rewrite reads the windows with a tensor of indices.
tags: [torch.attention, torch.dynamic-shape, torch.view, torch.stride]
rewrites: [transformers/frames_cut_by_index]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        windows = x.unfold(1, 8, 4).transpose(2, 3)
        weights = (windows @ windows.mT).softmax(-1)
        return (weights @ windows).mean(2)


dynamic_shapes = {"x": {1: Dim("n", min=12, max=64)}}


def inputs(n=23):
    return torch.randn(2, n, 3)
