"""
title: An attribute that was put on a parameter
description: >
  Libraries mark a parameter (its scale, its way of sharding) with an attribute of their own. While
  a program is traced without TorchDynamo another tensor stands for the parameter, without the
  attribute, and getattr answers with its default. The rewrite keeps the number on the module.
tags: [torch.parameter, python.attribute]
rewrites: [modules/attribute_put_on_module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(4, 4))
        self.weight.scale = 0.5

    def forward(self, x):
        return x @ self.weight * getattr(self.weight, "scale", 1.0)


def inputs():
    return torch.randn(3, 4)
