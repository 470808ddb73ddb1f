"""
title: datetime.now() in forward
description: >
  The rate depends on the year of the call and grows for fifty years. The clock is read while
  tracing, if tracing allows it at all, and the year of the capture stays in the graph. The fifty
  years have passed, so eager always gives the same. The rewrite reads the clock in the constructor.
tags: [python.builtin, torch.specialization]
rewrites: [python/years_in_constructor]
errors: [E0603]
"""

import datetime

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        years = min(datetime.datetime.now().year - 1970, 50)
        return x * (1 + years / 100)


def inputs():
    return torch.randn(3, 4)
