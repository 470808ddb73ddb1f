"""
title: Speculative decoding, the accepted part of a draft found with cumprod
description: >
  Equal tokens give 1, others 0, and the running product stays 1 up to the first difference. What
  lies behind it is replaced with -1; the size is that of the draft.
tags: [torch.data-dependent-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, draft, logits):
        said = logits.argmax(-1)
        equal = (said == draft).long().cumprod(0)
        accepted = torch.cat([torch.ones_like(equal[:1]), equal[:-1]])
        return torch.where(accepted == 1, said, -1)


def inputs():
    logits = torch.randn(6, 5)
    draft = logits.argmax(-1)
    draft[2:] = (draft[2:] + 1) % 5
    return draft, logits


def accepts():
    logits = torch.randn(6, 5)
    yield logits.argmax(-1), logits
    yield (logits.argmax(-1) + 1) % 5, logits
