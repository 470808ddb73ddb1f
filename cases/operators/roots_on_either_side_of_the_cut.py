"""
title: Complex roots and logarithms where the imaginary part is minus zero
description: >
  Square root, logarithm and angle jump across the negative real numbers, and the sign of a zero
  imaginary part says on which side a number lies: the root of -4 + 0j is 2j, that of -4 - 0j is
  -2j. A conjugate lies on the other side.
tags: [torch.operator, torch.complex]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, real, imaginary):
        z = torch.complex(real, imaginary)
        sides = z.sqrt(), z.log(), z.angle()
        return sides, z.conj().sqrt(), z.conj().angle(), torch.polar(z.abs(), z.angle()).real


def inputs():
    return torch.tensor([-4.0, -4.0, -0.25, 9.0]), torch.tensor([-0.0, 0.0, -0.0, -0.0])


def accepts():
    yield torch.tensor([-1.0, -9.0, -2.0, -2.0]), torch.tensor([-0.0, -0.0, 1.0, -1.0])
