"""
title: Noise with a seed of its own inside fork_rng
description: >
  fork_rng puts the random numbers' state back at its end, so the seed inside holds for one draw. A
  capture that has the draw and not the seed gives other noise, and moves the caller's random
  numbers on. The rewrite draws the noise once.
tags: [torch.random, torch.determinism, python.context-manager]
rewrites: [python/noise_in_buffer]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(7)
            noise = torch.rand(3, 4, device="cpu")
        return x + noise.to(x.device)


def inputs():
    return torch.randn(3, 4)
