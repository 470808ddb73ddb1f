"""
title: Linear layer whose weight is a DTensor
description: >
  The weight is cut over the processes of a mesh, here one. The input becomes a DTensor that every
  process has whole, the product is cut like the weight, and full_tensor puts it together. A tracer
  must look through the subclass; with one process there is nothing to exchange.
tags: [torch.distributed, torch.subclass, torch.parameter]
references: [pytorch#175467, pytorch#184229]
requires: [collectives]
errors: [E0318]
"""

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, init_device_mesh


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        if not dist.is_initialized():
            dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        self.mesh = init_device_mesh("cpu", (1,))
        weight = distribute_tensor(torch.randn(4, 6), self.mesh, [Shard(1)])
        self.weight = torch.nn.Parameter(weight)

    def forward(self, x):
        x = DTensor.from_local(x, self.mesh, [Replicate()])
        return (x @ self.weight).full_tensor().relu()


def inputs():
    return torch.randn(5, 4)
