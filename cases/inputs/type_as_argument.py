"""
title: dtype of the result as an argument
description: >
  The caller passes the dtype of the result. A dtype is no tensor, so the capture is made for the
  one of the example; another has to be refused or obeyed.
advice: >
  Export once for each dtype, and let the caller choose: a dtype is a constant of the graph.
tags: [torch.dtype, torch.specialization]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, dtype):
        return (x * 3).to(dtype), torch.zeros(2, dtype=dtype)


def inputs():
    return torch.randn(3, 4), torch.float64


def rejects():
    yield torch.randn(3, 4), torch.float16
    yield torch.randn(3, 4), torch.int32
