"""
title: assert on the values of a tensor
description: >
  Python's assert asks the data for a bool. A tracer has no data to ask: it may stop, drop the
  assertion, or keep it as an operator that checks when the graph runs. The rewrite uses that
  operator, so that nothing is left to chance.
tags: [python.assert]
requires: [values]
rewrites: [python/assert_async]
pitfalls: [python/raise_on_value]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        assert (x > 0).all(), "x must be positive"
        return x.log()


def inputs():
    return (torch.rand(3, 4) + 0.1,)


def rejects():
    yield (-torch.rand(3, 4),)
