"""
title: Same noise twice by torch.get_rng_state and set_rng_state
description: >
  The state of the generator is read before a draw and put back after it, so a second draw gives the
  same numbers. Neither call is an operator: a graph has two draws one after the other, which differ.
  The rewrite draws once.
tags: [torch.random, torch.determinism]
references: [pytorch#96118]
rewrites: [determinism/noise_drawn_once]
errors: [E0305]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        state = torch.get_rng_state()
        first = x + torch.rand(3, 4)
        torch.set_rng_state(state)
        return first, x * torch.rand(3, 4)


def inputs():
    return torch.randn(3, 4)
