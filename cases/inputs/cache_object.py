"""
title: Key-value cache object as input, not registered
description: >
  A cache is a class of its own with a list of tensors and an update method. Exporters do not know
  the class, and the tensors in it are hidden. The rewrite registers how to take it apart.
tags: [python.dataclass, python.pytree, torch.mutation]
rewrites: [inputs/cache_object_registered]
references: [pytorch#136582, pytorch#155862]
"""
import torch


class Cache:
    def __init__(self, layers):
        self.layers = layers

    def update(self, index, key):
        self.layers[index] = torch.cat([self.layers[index], key])
        return self.layers[index]


class Model(torch.nn.Module):
    def forward(self, x, cache):
        for index in range(len(cache.layers)):
            x = x + cache.update(index, x).mean(0, keepdim=True)
        return x, cache.layers


def inputs():
    return torch.randn(1, 3), Cache([torch.randn(4, 3), torch.randn(4, 3)])
