"""
title: Deleted variable passed to an inner function as an argument
description: >
  The nested function takes the tensor as an argument and uses nothing from outside. The variable is
  an ordinary one, and to delete it leaves nothing in a graph.
tags: [python.closure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        hidden = x.sin()

        def scaled(values, factor):
            return values * factor

        y = scaled(hidden, 2) + scaled(hidden, 3).exp()
        del hidden
        return y


def inputs():
    return torch.randn(3, 4)
