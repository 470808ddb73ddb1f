"""
title: Key-value cache object as input, not registered
description: >
  A cache is a class of its own with a list of tensors and methods. Exporters do not know the
  class, and the tensors in it are hidden from them. The rewrite registers how to take it apart.
tags: [python.dataclass, python.pytree]
rewrites: [inputs/cache_object_registered]
pitfalls: [inputs/cache_object_without_key_paths, transformers/cache_flattening_loses_window]
references: [pytorch#136582, pytorch#155862]
errors: [E0201]
"""

import torch


class Cache:
    def __init__(self, layers):
        self.layers = layers

    def updated(self, index, key):
        return torch.cat([self.layers[index], key])


class Model(torch.nn.Module):
    def forward(self, x, cache):
        layers = []
        for index in range(len(cache.layers)):
            layers.append(cache.updated(index, x))
            x = x + layers[index].mean(0, keepdim=True)
        return x, layers


def inputs():
    return torch.randn(1, 3), Cache([torch.randn(4, 3), torch.randn(4, 3)])
