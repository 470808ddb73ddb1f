"""
title: dynamic_shapes for a registered class, written by the names of its fields
description: >
  A registered class is flattened to a list of its fields. dynamic_shapes has to mirror that list,
  not the attributes: a dict with the names of the fields does not fit. The rewrite gives nested
  lists in the order of the fields.
tags: [python.pytree, python.dataclass, torch.dynamic-shape]
rewrites: [transformers/cache_specified_by_position]
references: [pytorch#142161, pytorch#152465]
errors: [E0205]
allow:
  L060: the case is about this refusal
"""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Cache:
    keys: torch.Tensor
    values: torch.Tensor


torch.export.register_dataclass(
    Cache, serialized_type_name="exportdb.cache_specified_by_field_names.Cache"
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return (x @ cache.keys.T).softmax(-1) @ cache.values


past = Dim("past", min=2, max=16)
dynamic_shapes = {"x": None, "cache": {"keys": {0: past}, "values": {0: past}}}


def inputs(past=5):
    return torch.randn(2, 3), Cache(torch.randn(past, 3), torch.randn(past, 3))
