"""
title: Causal mask by comparing two aranges
description: >
  A column of query positions is compared with a row of key positions; broadcasting makes the
  matrix. Both lengths stay sizes of the inputs.
tags: [torch.attention, torch.dynamic-shape]
references: [huggingface/transformers#42721]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores):
        queries = torch.arange(scores.shape[1])[:, None]
        mask = torch.arange(scores.shape[2]) <= queries
        return scores.masked_fill(~mask, -1e9).softmax(-1)


dynamic_shapes = {"scores": {1: Dim("queries", min=1, max=16), 2: Dim("keys", min=1, max=16)}}


def inputs(queries=5, keys=7):
    return (torch.randn(3, queries, keys),)
