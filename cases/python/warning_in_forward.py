"""
title: warnings.warn and logging in forward
description: >
  forward warns about short sequences and logs the length. Both are done while tracing and leave
  nothing in the graph: the capture computes the same, silently.
tags: [python.builtin]
errors: [E0305, E0601]
allow:
  L063: the length is a constant of the example
"""

import logging
import warnings

import torch

log = logging.getLogger("exportdb_warning_in_forward")


class Model(torch.nn.Module):
    def forward(self, x):
        log.info("%d positions", x.shape[0])
        if x.shape[0] < 8:
            warnings.warn("short sequence", stacklevel=2)
        return x.cumsum(0)


def inputs():
    return torch.randn(5, 3)
