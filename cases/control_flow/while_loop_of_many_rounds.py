"""
title: while_loop that takes hundreds of rounds (Collatz)
description: >
  The number of rounds is known from the data alone and has no upper end: 27 comes to 1 after 111
  rounds, 6171 after 261. What unrolls the loop, or gives it a greatest number of rounds, stops
  before that.
tags: [torch.while-loop]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, number):
        def unfinished(number, rounds):
            return number != 1

        def following(number, rounds):
            odd = number % 2 == 1
            return torch.where(odd, 3 * number + 1, number // 2), rounds + 1

        start = torch.zeros_like(number)
        _, rounds = torch.while_loop(unfinished, following, (number, start))
        return rounds


def inputs():
    return torch.tensor(27)


def accepts():
    yield torch.tensor(6171)
    yield torch.tensor(97)
    yield torch.tensor(1)
