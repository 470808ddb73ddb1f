"""
title: Numbers, a string and None among the outputs
description: >
  forward returns a dict in which only one entry is a tensor. The others are the same at every call
  and have no place in a graph of tensors; the caller still wants the dict as it is in eager.
tags: [python.data-structure, python.none]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return {"y": x * 2, "version": 3, "scale": 0.5, "name": "double", "cache": None, "ok": True}


def inputs():
    return torch.randn(3, 4)
