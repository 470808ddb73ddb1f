"""
title: Forward hook on the module that is exported
description: The hook stands on the model itself, and runs when that is called, not its forward.
  A capture of forward alone would leave its work away.
tags: [torch.module, python.closure]
references: [pytorch#167329]
errors: [E0520]
rewrites: [modules/hook_as_part_of_forward]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_pre_hook(lambda module, args: (args[0] * 3,))
        self.register_forward_hook(lambda module, args, output: output - 7)

    def forward(self, x):
        return x.relu()


def inputs():
    return torch.randn(5, 4)
