"""
title: Feature maps returned by name in an OrderedDict (IntermediateLayerGetter)
description: >
  A backbone of torchvision returns the outputs of some of its layers in an OrderedDict, in the order
  of the layers. What comes next moves an entry or takes the last one, which a plain dict cannot do.
tags: [python.data-structure, torch.module]
"""

from collections import OrderedDict

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.stem, self.body = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        maps = OrderedDict()
        maps["stem"] = self.stem(x).relu()
        maps["out"] = self.body(maps["stem"])
        maps["aux"] = maps["stem"].mean(1)
        return maps


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
