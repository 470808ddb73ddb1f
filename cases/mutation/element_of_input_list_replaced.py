"""
title: Entry of an input list replaced by a new tensor
description: >
  states[0] = new puts another tensor into the caller's list; the old tensor is not touched. A graph
  has operators for writing into a tensor, and none for putting one into a list.
tags: [torch.mutation, python.data-structure]
advice: >
  Return the new state and let the caller put it into the list, or copy_ into the tensor where
  nobody else holds it: no operator of a graph puts a tensor into a list.
"""

import torch


class Model(torch.nn.Module):
    def forward(self, states):
        states[0] = states[0] * 0.5 + 1
        return states[0] + states[1]


def inputs():
    return ([torch.randn(3, 4), torch.randn(3, 4)],)
