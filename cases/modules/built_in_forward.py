"""
title: Module built inside of forward
description: >
  forward makes a LayerNorm and calls it at once. Its weight and bias come into being while the
  program is traced and belong to no module that the exporter was given.
tags: [torch.module, torch.parameter]
rewrites: [modules/built_in_constructor, modules/functional_in_place_of_module]
errors: [E0615]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        norm = torch.nn.LayerNorm(x.shape[-1])
        return norm(x) * 2


def inputs():
    return torch.randn(3, 5)
