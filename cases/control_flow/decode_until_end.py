"""
title: Greedy decoding that stops at the end token
description: >
  Tokens are appended until the end token comes or eight are there. Whether to stop depends on
  data, and the sequence is longer in every round, so the loop can neither be unrolled nor be one
  body that is run again. The rewrite writes into a buffer of full length.
tags: [python.control-flow, torch.data-dependent-shape]
requires: [values]
rewrites: [control_flow/decode_until_end_into_buffer]
pitfalls: [decoding/greedy_until_end_token]
errors: [E0001, E0005]
allow:
  L063: every token comes to the end token before eight are there
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.register_buffer("scores", torch.randn(6, 6))

    def forward(self, token):
        ids = token.reshape(1)
        while ids[-1] != 0 and ids.shape[0] < 8:
            ids = torch.cat([ids, self.scores[ids[-1]].argmax().reshape(1)])
        return torch.nn.functional.pad(ids, (0, 8 - ids.shape[0]))


def inputs():
    return (torch.tensor(4),)


def accepts():
    for token in (0, 1, 2, 3, 5):
        yield (torch.tensor(token),)
