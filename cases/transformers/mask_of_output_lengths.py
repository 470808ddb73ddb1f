"""
title: Mask after strided convolutions, from the lengths before them
description: >
  The lengths of the sounds go through the same arithmetic as the sizes do in the convolutions. The
  mask of the shorter features is made by a comparison of an arange with them; both kinds of length
  must be rounded alike.
tags: [torch.dynamic-shape, torch.sym-scalar]
references: [huggingface/transformers#34022]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv1d(1, 2, kernel_size=5, stride=3)
        self.second = torch.nn.Conv1d(2, 4, kernel_size=2, stride=2)

    def forward(self, sound, lengths):
        features = self.second(self.first(sound[:, None]).relu())
        lengths = (lengths - 5) // 3 + 1
        lengths = (lengths - 2) // 2 + 1
        mask = torch.arange(features.shape[-1]) < lengths[:, None]
        return features * mask[:, None], mask


dynamic_shapes = {"sound": {1: Dim("n", min=20, max=200)}, "lengths": None}


def inputs(n=47):
    return torch.randn(3, n), torch.tensor([n, n - 7, 12])
