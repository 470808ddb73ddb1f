"""
title: Custom operator registered as a composition of ATen operators
description: >
  The operator is registered as a composition of others (CompositeImplicitAutograd), so it needs
  neither a fake kernel nor a gradient. A capture keeps the call as long as it keeps such operators
  whole, and holds what the operator is made of once they are decomposed.
tags: [torch.operator, torch.decomposition]
"""

import torch

library = torch.library.Library("exportdb_made_of_aten_operators", "DEF")
library.define("swish(Tensor x) -> Tensor")


@torch.library.impl(library, "swish", "CompositeImplicitAutograd")
def swish(x):
    return x * x.sigmoid()


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_made_of_aten_operators.swish(x) + 1


def inputs():
    return torch.randn(3, 4)
