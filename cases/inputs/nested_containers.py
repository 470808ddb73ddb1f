"""
title: Nested lists, tuples and dicts as input
description: >
  Layers of pairs of tensors, as caches of attention layers used to be given. The containers are
  taken apart before tracing and put together after it.
tags: [python.data-structure]
errors: [E0501]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, layers):
        out = []
        for key, value in layers["past"]:
            x = x + key * value
            out.append((key + 1, x))
        return {"last": x, "past": out}


def inputs():
    past = [(torch.randn(3), torch.randn(3)), (torch.randn(3), torch.randn(3))]
    return torch.randn(3), {"past": past}
