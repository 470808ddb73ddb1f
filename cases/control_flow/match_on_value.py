"""
title: match statement on the value of a tensor
description: >
  The subject of the match is read from a tensor, so which case applies is known only when the
  program runs. The rewrite spells the cases as a chain of torch.cond.
tags: [python.control-flow, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [control_flow/match_as_cond]
pitfalls: [data_dependent/branch_on_item]
references: [pytorch#157355]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mode):
        match mode.item():
            case 0:
                return x + 1
            case 1:
                return x * 2
            case _:
                return x.sin()


def inputs():
    return torch.randn(3, 4), torch.tensor(1)


def accepts():
    for mode in (0, 1, 2, -1):
        yield torch.randn(3, 4), torch.tensor(mode)
