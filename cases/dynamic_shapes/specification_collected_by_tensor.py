"""
title: ShapesCollection, dims given to tensors instead of to places
description: >
  A ShapesCollection is filled tensor by tensor and then makes the nested specification itself,
  with no entry for the tensors that were never named. It goes by the identity of the example's
  tensors, so these very tensors have to be handed over.
tags: [torch.dynamic-shape, python.pytree]
"""

import torch
from torch.export import Dim, ShapesCollection


class Model(torch.nn.Module):
    def forward(self, x, layers):
        for layer in layers:
            x = x + layer["key"].mean(0)
        return x


def inputs(n=5):
    layers = [{"key": torch.randn(n, 4), "tag": torch.randn(3)} for _ in range(2)]
    return torch.randn(4), layers


example = inputs()
collection = ShapesCollection()
for layer in example[1]:
    collection[layer["key"]] = {0: Dim("n", min=2, max=16)}
dynamic_shapes = collection.dynamic_shapes(Model(), example)
