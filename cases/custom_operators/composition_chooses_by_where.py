"""
title: Custom operator whose composition chooses with torch.where
description: >
  The operator is a composition of ATen operators and holds no Python if on a value, so it can be
  kept whole or taken apart.
tags: [torch.operator, torch.decomposition]
"""

import torch

library = torch.library.Library("exportdb_composition_chooses_by_where", "DEF")
library.define("lifted(Tensor x) -> Tensor")


@torch.library.impl(library, "lifted", "CompositeImplicitAutograd")
def lifted(x):
    lowest = x.amin()
    return torch.where(lowest < 0, x - lowest, x * 2)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_composition_chooses_by_where.lifted(x)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 0.5,)
