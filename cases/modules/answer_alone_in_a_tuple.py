"""
title: Model that returns a tuple of one tensor (return_dict=False)
description: >
  With return_dict=False a Hugging Face model returns a tuple, also where the logits are all there
  is. A caller takes output[0]: given the tensor in place of the tuple, that is the first row.
tags: [python.data-structure]
"""

import torch
from torch.export import Dim


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, x):
        return (self.layer(x).tanh(),)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def forward(self, x):
        hidden = self.encoder(x)
        return (hidden[0] + len(hidden),)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
