"""
title: dtype and device of a result among the outputs
description: >
  A model describes its result to whoever stores it: the dtype and the device stand in a dict beside
  the tensor. They are objects of torch and no tensors, and a graph of tensors has no place for
  them.
advice: >
  Return the tensor alone: it has its dtype and its device with it, where the capture is called.
tags: [python.data-structure, torch.dtype, torch.device]
errors: [E0209]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = (x > 0).sum(1)
        return {"y": y, "dtype": y.dtype, "device": y.device}


def inputs():
    return torch.randn(3, 4)
