"""
title: Module with the cache in its buffers, given as an input
description: >
  The cache is an nn.Module, handed to forward like a tensor. Exporters take tensors and containers
  of tensors; the buffers of a module that is an input are neither state of the model nor inputs,
  and another call may bring another cache. The rewrite takes the tensor of the cache instead.
tags: [torch.attention, torch.module, torch.buffer]
requires: [values]
rewrites: [transformers/cache_tensor_of_module_as_input]
pitfalls: [inputs/cache_object]
references: [pytorch#147326]
errors: [E0201]
dims: {position: {min: 0, max: 7}}
allow:
  L059: what the modules hold is compared by value, and there is none on the meta device
"""

import torch


class Cache(torch.nn.Module):
    def __init__(self, keys):
        super().__init__()
        self.register_buffer("keys", keys)

    def __eq__(self, other):  # caches with the same keys are the same input
        return isinstance(other, Cache) and torch.equal(self.keys, other.keys)

    __hash__ = torch.nn.Module.__hash__


class Model(torch.nn.Module):
    def forward(self, x, position, cache):
        return (x @ cache.keys.index_copy(0, position, x).T).softmax(-1)


def inputs(position=5):
    return torch.randn(1, 3), torch.tensor([position]), Cache(torch.randn(8, 3))
