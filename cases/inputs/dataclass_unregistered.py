"""
title: Dataclass as input, not registered
description: >
  An exporter sees an object, not the tensors in it, and cannot make inputs of the graph from
  them. The rewrite tells it how: the class is registered with pytree.
tags: [python.dataclass, python.pytree]
rewrites: [inputs/dataclass_registered]
pitfalls: [inputs/cache_object_without_key_paths]
references: [pytorch#147400, pytorch#112211]
errors: [E0201, E0501]
"""

from dataclasses import dataclass

import torch


@dataclass
class Batch:
    x: torch.Tensor
    weight: torch.Tensor


class Model(torch.nn.Module):
    def forward(self, batch: Batch):
        return batch.x * batch.weight


def inputs():
    return (Batch(torch.randn(3, 4), torch.rand(4)),)
