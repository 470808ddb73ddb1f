"""
title: Local attention over overlapping windows of a sequence, by unfold
description: >
  unfold cuts the sequence into windows of eight tokens, four apart, as a view: each token is in two
  of them, and the strides of the view overlap. Runtimes without such views can use the rewrite,
  which reads the windows with a tensor of indices.
tags: [torch.attention, torch.dynamic-shape, torch.view, torch.stride]
rewrites: [transformers/frames_cut_by_index]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        windows = x.unfold(0, 8, 4).mT
        weights = (windows @ windows.mT).softmax(-1)
        return (weights @ windows).mean(1)


dynamic_shapes = {"x": {0: Dim("n", min=12, max=64)}}


def inputs(n=23):
    return torch.randn(n, 3)
