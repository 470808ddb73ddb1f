"""
title: Custom operator whose composition branches on a value
description: >
  The operator is a composition of ATen operators (CompositeImplicitAutograd) with a Python if on a
  value inside. While a capture keeps the call whole nobody asks; once it is taken apart, the if asks
  a tensor that has no value. The rewrite chooses with torch.where.
tags: [torch.operator, torch.decomposition, torch.unbacked-symbol, python.control-flow]
requires: [values]
rewrites: [custom_operators/composition_chooses_by_where]
errors: [E0001]
"""

import torch

library = torch.library.Library("exportdb_composition_branches_on_value", "DEF")
library.define("lifted(Tensor x) -> Tensor")


@torch.library.impl(library, "lifted", "CompositeImplicitAutograd")
def lifted(x):
    lowest = x.amin()
    return x - lowest if lowest.item() < 0 else x * 2


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_composition_branches_on_value.lifted(x)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 0.5,)
