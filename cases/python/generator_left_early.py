"""
title: break out of a generator that has a finally block
description: >
  A for loop breaks out of a generator, which Python then closes: its finally block runs and
  halves the scale. TorchDynamo forgets a generator that is not asked again, and the block never
  runs. The rewrite closes it.
tags: [python.control-flow, python.exception]
rewrites: [python/generator_closed]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        scale = [1.0]

        def steps():
            try:
                yield x.sin()
                yield x.cos()
            finally:
                scale[0] = 0.5

        for first in steps():
            break
        return first * scale[0]


def inputs():
    return torch.randn(3, 4)
