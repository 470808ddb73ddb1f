"""
title: One step of beam search
description: >
  The scores of all continuations of all beams compete: topk over both at once gives indices whose
  quotient by the vocabulary is the beam and whose remainder the token. The ids are reordered by
  beam before the token is appended.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, scores, logits):
        beams, words = logits.shape
        total = scores[:, None] + logits.log_softmax(-1)
        scores, best = total.flatten().topk(beams)
        beam = best.div(words, rounding_mode="floor")
        ids = torch.cat([ids[beam], (best % words)[:, None]], dim=1)
        return ids, scores


dynamic_shapes = {
    "ids": {1: Dim("n", min=1, max=16)},
    "scores": None,
    "logits": {1: Dim("words", min=4, max=64)},
}


def inputs(n=5, words=11):
    return torch.randint(9, (4, n)), -torch.rand(4), torch.randn(4, words)
