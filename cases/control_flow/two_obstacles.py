"""
title: Custom operator without a fake kernel, and a branch on its result
description: >
  Two things stand in the way, and an exporter that stops at the first reports only that: the
  operator says nothing of the shape of its result, and the if asks for a value of it. draft_export
  goes on past both and lists them. The rewrite registers a fake kernel and uses torch.where.
tags: [torch.operator, torch.fake-kernel, python.control-flow]
requires: [values]
rewrites: [control_flow/two_obstacles_removed]
errors: [E0404]
"""

import torch


@torch.library.custom_op("exportdb_two_obstacles::row_sums", mutates_args=())
def row_sums(x: torch.Tensor) -> torch.Tensor:
    return x.sum(1)


class Model(torch.nn.Module):
    def forward(self, x):
        sums = row_sums(x)
        if sums.max() > 1:
            return sums / sums.max()
        return sums * 2


def inputs():
    return torch.rand(3, 4) + 1


def accepts():
    yield -torch.rand(3, 4)
