"""
title: Deterministic algorithms required for a block inside forward
description: >
  forward turns the global setting on for a block, as libraries do, and off again. It is asked inside
  and outside of the block; while tracing both answers become constants, and they differ. What a
  capture does when a later call runs under another setting is not shown: no input changes what the
  whole process requires. A library would put warn_only back as well, which TorchDynamo cannot ask
  for (E0604).
tags: [torch.determinism, torch.specialization, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def answer(self, x):
        return x + 1 if torch.are_deterministic_algorithms_enabled() else x - 1

    def forward(self, x):
        before = torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True)
        inside = self.answer(x)
        torch.use_deterministic_algorithms(before)
        return inside, self.answer(x)


def inputs():
    return torch.randn(3, 4)
