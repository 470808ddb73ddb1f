"""
title: Greedy decoding in a loop until the end token (EOS)
description: >
  The ids have their full length from the start, but the loop stops at the end token, which is
  data, so Python has to know every token. A buffer of fixed size does not help as long as there
  is a break. The rewrite is a while_loop.
tags: [python.control-flow, torch.item]
requires: [values]
rewrites: [decoding/greedy_while_loop]
pitfalls: [control_flow/while_on_value]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, logits, token):
        ids = torch.full((7,), 0)
        for place in range(7):
            ids[place] = token
            if token == 0:
                break
            token = logits[token].argmax()
        return ids


def inputs():
    return torch.eye(5).roll(-1, dims=0), torch.tensor(3)


def accepts():
    yield torch.eye(5).roll(-1, dims=0), torch.tensor(0)
    yield torch.eye(5).roll(1, dims=0), torch.tensor(4)
    yield torch.eye(5), torch.tensor(2)
