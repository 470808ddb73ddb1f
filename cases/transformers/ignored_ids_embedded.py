"""
title: Ids outside of the vocabulary, replaced before the embedding
description: >
  Ids that are no words, like the -100 of ignored labels, have to be replaced before the
  embedding is asked, since it raises for indices outside of its table. A capture has to raise
  for those too.
tags: [torch.attention, torch.dynamic-shape, torch.parameter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(8, 4, padding_idx=0)

    def forward(self, ids):
        known = ids.masked_fill(ids == -100, 0)
        return self.embedding(known)


dynamic_shapes = {"ids": {0: Dim("batch", min=1, max=6), 1: Dim("n", min=1, max=16)}}


def inputs(batch=3, n=5):
    ids = torch.randint(8, (batch, n))
    ids[0, 0] = -100
    return (ids,)


def rejects():
    yield (torch.tensor([[8, 1, 2, 3, 4]]),)
