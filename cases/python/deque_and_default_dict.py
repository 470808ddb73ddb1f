"""
title: collections.deque with maxlen, defaultdict and OrderedDict in forward
description: >
  A deque keeps the last two intermediate results, a defaultdict sums values by name, and an
  OrderedDict is reordered before it is read. The containers live in forward alone, so they are
  gone once the program is traced, and only their tensors are left.
tags: [python.data-structure, python.builtin]
"""

from collections import OrderedDict, defaultdict, deque

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        last, totals, ordered = deque(maxlen=2), defaultdict(lambda: 0), OrderedDict()
        for name, scale in (("a", 2.0), ("b", 3.0), ("a", 5.0)):
            scaled = x.sin() * scale
            last.append(scaled)
            totals[name] = totals[name] + scaled
            ordered[name] = scaled
        ordered.move_to_end("a", last=False)
        return torch.stack(list(last)), totals["a"] - totals["b"], list(ordered.values())


def inputs():
    return torch.randn(3, 4)
