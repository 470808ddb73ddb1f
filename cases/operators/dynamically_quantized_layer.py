"""
title: Linear layer quantized by quantize_dynamic
description: >
  The layer keeps its int8 weight in an object of C++, a ScriptObject, which is no tensor: a tracer
  needs to be told what it holds.
advice: >
  Quantise with a tool that keeps weights as tensors (torchao, prepare_pt2e), or write the layer with
  int8 weights in a buffer.
tags: [torch.quantized, torch.module]
references: [pytorch#137111]
requires: [integer-product, numpy, values]
errors: [E1204]
"""

import warnings

import torch
from torch.ao.quantization import quantize_dynamic


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layers = torch.nn.Sequential(torch.nn.Linear(4, 3))
            self.layers = quantize_dynamic(layers, {torch.nn.Linear}, dtype=torch.qint8)

    def forward(self, x):
        return self.layers(x).relu()


def inputs():
    return torch.randn(5, 4)
