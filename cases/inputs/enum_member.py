"""
title: Enum member as an input
description: >
  The member is no tensor and no number: tracing treats it as a constant, and only the branch of the
  example's member is in the graph. A capture made for one member has to refuse another.
advice: >
  Export once for each member, and let the caller choose: a member is a constant of the graph.
tags: [torch.scalar-input, torch.specialization, python.control-flow]
references: [pytorch#153061]
"""

import enum

import torch


class Reduction(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


class Model(torch.nn.Module):
    def forward(self, x, reduction: Reduction):
        if reduction is Reduction.SUM:
            return x.sum(0)
        return x.mean(0)


def inputs():
    return torch.randn(3, 4), Reduction.SUM


def accepts():
    yield torch.randn(3, 4), Reduction.MEAN
