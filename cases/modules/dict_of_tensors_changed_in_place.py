"""
title: Tensors in a dict on self changed in place
description: >
  The dict keeps its tensors, and forward adds to one of them with add_. The tensor is a constant
  to a capture, and one that changes at every call.
tags: [python.attribute, python.data-structure, torch.mutation]
rewrites: [modules/buffers_as_state_in_place]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = {"total": torch.zeros(4)}

    def forward(self, x):
        self.state["total"].add_(x.sum(0))
        return self.state["total"] - x


def inputs():
    return torch.randn(3, 4)
