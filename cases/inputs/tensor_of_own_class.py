"""
title: Tensor subclass as an input
description: >
  The class of the tensor says in which unit its numbers are, and forward checks it. A capture
  that turns the input into a plain tensor reads it in the other unit.
advice: >
  Convert the input to a plain tensor in the caller and say the unit with a second input or a
  second module: a graph takes plain tensors.
tags: [torch.subclass, python.builtin]
"""

import torch


class Fahrenheit(torch.Tensor):
    def __deepcopy__(self, memo):  # that of torch.Tensor gives up on a class like this
        return self.as_subclass(torch.Tensor).clone().as_subclass(Fahrenheit)


class Model(torch.nn.Module):
    def forward(self, x, weight):
        if isinstance(x, Fahrenheit):
            x = (x.as_subclass(torch.Tensor) - 32) / 1.8
        return x * weight


def inputs():
    return torch.linspace(20, 90, 5).as_subclass(Fahrenheit), torch.rand(5)


def rejects():
    yield torch.linspace(-5, 30, 5), torch.rand(5)
