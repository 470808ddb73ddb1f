"""
title: Causal mask and padding mask combined by broadcasting
description: >
  The causal part has the shape (queries, keys), the padding (rows, 1, keys). Broadcasting combines
  them without an index function.
tags: [torch.attention, torch.dynamic-shape]
references: [huggingface/transformers#42721]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, padding):
        queries = torch.arange(scores.shape[1])[:, None]
        causal = torch.arange(scores.shape[2]) <= queries
        return scores.masked_fill(~(causal & padding[:, None]), -1e9).softmax(-1)


keys = Dim("keys", min=1, max=16)
dynamic_shapes = {"scores": {2: keys}, "padding": {1: keys}}


def inputs(keys=7):
    return torch.randn(3, 4, keys), torch.rand(3, keys) > 0.3
