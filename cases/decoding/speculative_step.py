"""
title: Speculative decoding, the accepted part of a draft counted in a loop
description: >
  A draft of several tokens is compared with what the large model would have said; tokens are
  accepted up to the first that differs. The loop breaks at that one, so Python has to know each
  comparison. The rewrite counts with a cumulative product.
tags: [python.control-flow, torch.item]
requires: [values]
rewrites: [decoding/speculative_step_cumprod]
pitfalls: [data_dependent/branch_on_item]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, draft, logits):
        said = logits.argmax(-1)
        out = torch.full_like(said, -1)
        for place in range(draft.shape[0]):
            out[place] = said[place]
            if said[place] != draft[place]:
                break
        return out


def inputs():
    logits = torch.randn(6, 5)
    draft = logits.argmax(-1)
    draft[2:] = (draft[2:] + 1) % 5
    return draft, logits


def accepts():
    logits = torch.randn(6, 5)
    yield logits.argmax(-1), logits
    yield (logits.argmax(-1) + 1) % 5, logits
