"""
title: Value of a tensor in a log message (f-string)
description: >
  The f-string asks for the value of the mean as a number. While tracing there is none, and formatting
  a number that nobody knows yet stops the capture, or writes the name of a symbol. The rewrite gives
  the number to the caller, who writes the message.
tags: [python.builtin, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [python/value_returned_for_a_message]
errors: [E0002]
"""

import logging

import torch

log = logging.getLogger(__name__)


class Model(torch.nn.Module):
    def forward(self, x):
        mean = x.mean()
        log.debug(f"mean is {mean.item():.3f}")
        return x - mean, mean


def inputs():
    return torch.randn(3, 4)
