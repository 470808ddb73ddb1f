"""
title: New states computed and used, the input list left alone
description: >
  The new state has a name of its own, so nothing is put into the caller's list. Where the caller
  wants the new state, it is returned beside the result.
tags: [python.data-structure]
allow:
  L052: the original changes the caller's list, which the rewrite is there to avoid
"""

import torch


class Model(torch.nn.Module):
    def forward(self, states):
        state = states[0] * 0.5 + 1
        return state + states[1]


def inputs():
    return ([torch.randn(3, 4), torch.randn(3, 4)],)
