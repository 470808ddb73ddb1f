"""
title: Noise from a generator that is made in every call
description: >
  A new generator with a fixed seed gives the same noise in every call. A capture that keeps the
  generator of the trace goes on where the last call stopped, so the second call has other noise.
  The rewrite draws the noise once.
tags: [torch.random, torch.determinism]
rewrites: [python/noise_in_buffer]
errors: [E0626]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        generator = torch.Generator().manual_seed(7)
        return x + torch.rand(3, 4, generator=generator, device="cpu").to(x.device)


def inputs():
    return torch.randn(3, 4)
