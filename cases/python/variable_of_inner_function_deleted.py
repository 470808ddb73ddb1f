"""
title: del of a variable that an inner function uses
description: >
  What a nested function reads from outside is kept in a cell, and del of it is bytecode of its own
  (DELETE_DEREF), which TorchDynamo knows since torch 2.15. The rewrite passes the value as an
  argument, so that del is that of any variable.
tags: [python.closure]
references: [pytorch#189216]
rewrites: [python/deleted_variable_given_to_inner_function]
errors: [E0607]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        hidden = x.sin()

        def scaled(factor):
            return hidden * factor  # noqa: F821

        y = scaled(2) + scaled(3).exp()
        del hidden
        return y


def inputs():
    return torch.randn(3, 4)
