"""
title: Function decorated with functools.lru_cache
description: >
  A table is computed once for a size and kept by lru_cache. While tracing, the cache may hand out
  a tensor made earlier, or keep a stand-in for later. The size is static here.
tags: [python.decorator, python.builtin]
errors: [E0109]
"""

import functools

import torch


@functools.lru_cache
def positions(length):
    return torch.arange(length) / length


class Model(torch.nn.Module):
    def forward(self, x):
        return x + positions(x.shape[1])


def inputs():
    return (torch.randn(3, 4),)
