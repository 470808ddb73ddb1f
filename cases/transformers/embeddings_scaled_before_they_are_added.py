"""
title: Word, position and type embeddings, one of them scaled, added before a norm
description: >
  BERT adds three tables and normalises, which engines do in one operator. Here the words are
  multiplied by the root of the width first, positions begin at two, and the sum is kept besides.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.kinds = torch.nn.Embedding(11, 6), torch.nn.Embedding(3, 6)
        self.positions = torch.nn.Embedding(20, 6)
        self.norm = torch.nn.LayerNorm(6, eps=0.05)

    def forward(self, ids, kinds):
        places = torch.arange(ids.shape[1]) + 2
        total = self.words(ids) * 6**0.5 + self.positions(places) + self.kinds(kinds)
        return self.norm(total), total + self.words(ids)


t = Dim("t", min=1, max=16)
dynamic_shapes = {"ids": {1: t}, "kinds": {1: t}}


def inputs(t=5):
    ids = torch.arange(2 * t).view(2, t)
    return ids % 11, ids % 3
