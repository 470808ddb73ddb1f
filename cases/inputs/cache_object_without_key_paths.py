"""
title: Class registered with pytree, but without key paths
description: >
  The registration says how to take the object apart and how to build one, but not what its parts
  are called. An exporter that names inputs by their path in the structure has no name for them.
  The rewrite adds flatten_with_keys_fn.
tags: [python.dataclass, python.pytree]
rewrites: [inputs/cache_object_registered]
errors: [E0202]
"""

import torch
from torch.utils import _pytree as pytree


class Cache:
    def __init__(self, layers):
        self.layers = layers

    def updated(self, index, key):
        return torch.cat([self.layers[index], key])


pytree.register_pytree_node(
    Cache,
    lambda cache: (list(cache.layers), None),
    lambda layers, _: Cache(list(layers)),
    serialized_type_name="exportdb.cache_object_without_key_paths.Cache",
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        layers = []
        for index in range(len(cache.layers)):
            layers.append(cache.updated(index, x))
            x = x + layers[index].mean(0, keepdim=True)
        return x, layers


def inputs():
    return torch.randn(1, 3), Cache([torch.randn(4, 3), torch.randn(4, 3)])
