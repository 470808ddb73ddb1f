"""
title: Sizes collected in a tensor
description: >
  torch.tensor of sizes looks like data but is made of symbols. The capture has to build the
  tensor from them at every call; stored as a constant it would hold the sizes of the example.
tags: [torch.dynamic-shape, torch.specialization]
references: [huggingface/transformers#34390]
errors: [E0312, E1105]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tensor([x.shape[0], x.shape[1]]) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16), 1: Dim("m", min=2, max=16)}}


def inputs(n=3, m=5):
    return torch.randn(n, m)
