"""
title: Custom operator that gives a view of its argument
description: >
  The schema says that the result shares memory with the argument, and a write to the result has to
  reach it. Functionalization knows the views of ATen alone and refuses any other. The rewrite lets
  the operator give a copy, and takes the view with an index.
tags: [torch.operator, torch.aliasing, torch.mutation, torch.decomposition]
references: [pytorch#180620]
rewrites: [custom_operators/gives_a_copy]
errors: [E0407]
"""

import torch

library = torch.library.Library("exportdb_gives_a_view", "DEF")
library.define("every_second(Tensor(a) x) -> Tensor(a)")
library.impl("every_second", lambda x: x[::2], "CompositeExplicitAutograd")


class Model(torch.nn.Module):
    def forward(self, x):
        total = x.clone()
        torch.ops.exportdb_gives_a_view.every_second(total).mul_(3)
        return total


def inputs():
    return torch.randn(5, 3)
