"""A program and causes, as tests of a hunt need them."""

from __future__ import annotations

from exportdb.hunt.buckets import Bucket
from exportdb.hunt.drafts import ReducedCause
from exportdb.records.outcome import Outcome

CASE = '''"""
title: A
description: B
"""
class Model:
    def forward(self, x):
        return x.frac() + 1


def inputs():
    return 1
'''


def cause_of(statement: str, *buckets: Bucket, known: str = "") -> ReducedCause:
    text = f'"""\ntitle: A\n"""\nclass Model:\n    def forward(self, x):\n        {statement}\n'
    return ReducedCause(buckets, text, (statement,), known=known)


def silent_in(exporter: str, kind: str, said: str = "other values") -> Bucket:
    return Bucket(exporter, Outcome.WRONG, kind, said)
