"""
title: Tensor subclass that changes operators with __torch_function__
description: >
  A subclass of torch.Tensor may answer for every function that is called on it. Here each addition
  on it is done modulo 12, as hours are added. The graph has to hold what the subclass does, not
  what the name of the function says. The rewrite calls a function for it.
tags: [torch.subclass]
rewrites: [operators/hours_added_by_function]
errors: [E0619]
"""

import torch


class Hours(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs or {})
        if function in (torch.add, torch.Tensor.add):
            result = torch.remainder(result, 12)
        return result


class Model(torch.nn.Module):
    def forward(self, start, duration):
        end = start.as_subclass(Hours).add(duration)
        return end.as_subclass(torch.Tensor) * 2


def inputs():
    return torch.tensor([1.0, 5.0, 9.0, 11.0]), torch.tensor([2.0, 6.0, 7.5, 14.0])
