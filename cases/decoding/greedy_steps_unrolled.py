"""
title: Greedy decoding of a fixed number of tokens, ids growing
description: >
  Each round takes the likeliest next token and appends it to the ids. The number of rounds is a
  constant, so the loop is unrolled, and the length is a size plus 1, 2 and 3.
tags: [python.control-flow, torch.dynamic-shape, torch.derived-dim]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(8, 4)

    def forward(self, ids):
        for _ in range(3):
            hidden = self.embedding(ids).mean(1)
            token = (hidden @ self.embedding.weight.T).argmax(-1, keepdim=True)
            ids = torch.cat([ids, token], dim=1)
        return ids


dynamic_shapes = {"ids": {0: Dim("batch", min=1, max=6), 1: Dim("n", min=1, max=16)}}


def inputs(batch=2, n=5):
    return (torch.randint(8, (batch, n)),)
