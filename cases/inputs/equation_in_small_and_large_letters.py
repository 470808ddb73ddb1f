"""
title: Equation of einsum as a string input
description: >
  The equation is an argument, and a lower-case and an upper-case letter are two different axes. A
  capture is made for one equation: another has to be refused or computed.
tags: [torch.scalar-input, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, equation):
        return torch.einsum(equation, x, y)


def inputs():
    return torch.randn(3, 3), torch.randn(3, 3), "aA,Ab->ab"


def rejects():
    yield torch.randn(3, 3), torch.randn(3, 3), "aA,bA->ab"
    yield torch.randn(3, 3), torch.randn(3, 3), "aA,Ab->Ab"
