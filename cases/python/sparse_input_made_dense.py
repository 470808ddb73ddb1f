"""
title: A matrix that may be sparse is made dense first
description: >
  The program asks is_sparse, which a capture answers as it was for the example. What the caller gives is dense here;
  a sparse matrix must be refused, or be made dense.
tags: [torch.sparse, torch.dynamic-shape]
requires: [sparse, values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, counts):
        if counts.is_sparse:
            counts = counts.to_dense()
        return counts / counts.sum(1, keepdim=True).clamp(min=1)


dynamic_shapes = {"counts": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 3) * 7 % 4).reshape(n, 3).float()


def rejects():
    yield inputs().to_sparse()
