"""
title: Hook that is registered in forward and removed again
description: >
  forward puts a hook on a submodule, calls it, and removes the hook by its handle, to read an
  intermediate result. Only the first of the two calls is seen by the hook.
tags: [torch.module, python.closure, python.attribute]
rewrites: [modules/intermediate_result_returned]
pitfalls: [python/list_attribute_appended]
errors: [E0614]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x):
        seen = []
        handle = self.linear.register_forward_hook(lambda m, args, output: seen.append(output))
        y = self.linear(x).relu()
        handle.remove()
        return self.linear(x + 1) + y, seen[0]


def inputs():
    return torch.randn(5, 4)
