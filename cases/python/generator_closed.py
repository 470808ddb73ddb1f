"""
title: Generator closed with close()
description: >
  close() runs the finally block of the generator at a place that the program chooses, so nothing
  depends on when Python collects it.
tags: [python.control-flow, python.exception]
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

        running = steps()
        first = next(running)
        running.close()
        return first * scale[0]


def inputs():
    return torch.randn(3, 4)
