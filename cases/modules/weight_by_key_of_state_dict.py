"""
title: state_dict() read in forward
description: >
  A regulariser takes a weight by its dotted key, "layers.0.weight", out of self.state_dict(). The
  entries are detached: no gradient flows. A capture has to find the parameter behind the key and
  not keep a copy of it.
tags: [torch.module, torch.parameter, torch.autograd]
rewrites: [modules/weight_by_dotted_name]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])

    def forward(self, x):
        weight = self.state_dict()["layers.0.weight"]
        return self.layers[1](self.layers[0](x)) * weight.square().mean()


def inputs():
    return torch.randn(3, 4)
