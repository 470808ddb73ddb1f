"""
title: if on an environment variable
description: >
  The process's environment is asked in forward, and the answer of the moment of the capture stays.
  The variable is set and taken away again here, so that eager always sees it.
tags: [python.builtin, python.control-flow, torch.specialization]
allow:
  L063: the variable is always set when it is asked for
"""

import os

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        os.environ["SCALE_OF_MODEL"] = "3"
        scale = int(os.environ.get("SCALE_OF_MODEL", "1"))
        del os.environ["SCALE_OF_MODEL"]
        return x * scale if "SCALE_OF_MODEL" not in os.environ else x


def inputs():
    return torch.randn(3, 4)
