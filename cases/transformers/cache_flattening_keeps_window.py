"""
title: Cache class whose pytree registration keeps its plain fields in the context
description: >
  What is no tensor goes into the context of the flattening, and the object is built again from
  both. The context is part of the structure of the inputs: a cache with another window is another
  structure, which a capture has to refuse. torch has no public name for the registration yet.
tags: [torch.attention, python.pytree]
references: [huggingface/transformers#47900]
"""

import torch
from torch.utils import _pytree as pytree


class Cache:
    def __init__(self, keys, window=100):
        self.keys, self.window = keys, window

    def update(self, key):
        return torch.cat([self.keys, key])[-self.window :]


pytree.register_pytree_node(
    Cache,
    lambda cache: ([cache.keys], cache.window),
    lambda children, window: Cache(*children, window),
    flatten_with_keys_fn=lambda cache: ([(pytree.GetAttrKey("keys"), cache.keys)], cache.window),
    serialized_type_name="exportdb.cache_flattening_keeps_window.Cache",
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return cache.update(x) * 2


def inputs():
    return torch.randn(1, 3), Cache(torch.randn(4, 3), window=4)


def rejects():
    yield torch.randn(1, 3), Cache(torch.randn(4, 3), window=2)
