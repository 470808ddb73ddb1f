"""
title: Key-value cache object as input, registered with pytree
description: >
  register_pytree_node says how a cache becomes a list of tensors and how one is made from such a
  list, and what each of its tensors is called in messages. The model returns the new layers, so
  nothing has to be written back into the caller's object. torch has no public name for the
  registration yet.
tags: [python.dataclass, python.pytree]
references: [pytorch#136582, pytorch#155862]
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
    flatten_with_keys_fn=lambda cache: (
        [(pytree.SequenceKey(i), layer) for i, layer in enumerate(cache.layers)],
        None,
    ),
    serialized_type_name="exportdb.cache_object_registered.Cache",
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
