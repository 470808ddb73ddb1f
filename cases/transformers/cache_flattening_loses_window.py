"""
title: Cache class whose pytree registration forgets a field
description: >
  The cache keeps no more than its window of tokens. Its registration takes out the tensor but not
  the window, so whoever builds the object again gets the default, a cache without a limit. The
  rewrite keeps the window in the context of the flattening.
tags: [torch.attention, python.pytree]
breaks_contract: what a registration flattens and builds again has another window
rewrites: [transformers/cache_flattening_keeps_window]
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
    lambda cache: ([cache.keys], None),
    lambda children, _: Cache(*children),
    flatten_with_keys_fn=lambda cache: ([(pytree.GetAttrKey("keys"), cache.keys)], None),
    serialized_type_name="exportdb.cache_flattening_loses_window.Cache",
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return cache.update(x) * 2


def inputs():
    return torch.randn(1, 3), Cache(torch.randn(4, 3), window=4)
