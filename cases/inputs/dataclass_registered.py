"""
title: Dataclass as input, registered with torch.export.register_dataclass
description: >
  After registration the fields of the dataclass are inputs of the graph, and dynamic_shapes
  mirrors the class field by field.
tags: [python.dataclass, python.pytree]
references: [pytorch#109152, pytorch#147400]
"""

from dataclasses import dataclass

import torch


@dataclass
class Batch:
    x: torch.Tensor
    weight: torch.Tensor


torch.export.register_dataclass(Batch, serialized_type_name="exportdb.dataclass_registered.Batch")


class Model(torch.nn.Module):
    def forward(self, batch: Batch):
        return batch.x * batch.weight


def inputs():
    return (Batch(torch.randn(3, 4), torch.rand(4)),)
