"""
title: Custom operator that is decomposed while tracing
description: >
  The operator is registered as a composition of others (CompositeImplicitAutograd). Tracing goes
  through it, so no later tool has to know it: the graph holds the operators that it is made of.
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
