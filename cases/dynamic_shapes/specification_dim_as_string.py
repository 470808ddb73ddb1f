"""
title: Dim given as a string in dynamic_shapes
description: >
  Exporters that only name the axes of their inputs take strings for them, as the dynamic_axes of
  older ONNX exports did. A string has no range; dynamic_shapes wants Dim objects, which have a
  range as well as a name.
tags: [torch.dynamic-shape]
errors: [E0128]
dims: {n: {min: 2, max: 32}}
rewrites: [dynamic_shapes/size_with_range]
allow:
  L060: the case is about this refusal
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[0]


dynamic_shapes = {"x": {0: "n"}}


def inputs(n=8):
    return torch.randn(n, 3)
