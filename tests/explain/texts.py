"""Texts that the tests here ask about."""

from __future__ import annotations

from pathlib import Path

from exportdb.cases import catalogue
from exportdb.cases.catalogue import Entry
from exportdb.explain import explain

GUARD = "Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1))."


TRACEBACK = f"""\
Traceback (most recent call last):
  File "/home/me/train.py", line 44, in <module>
    exported = torch.export.export(model, args)
  File "/usr/lib/python3.11/site-packages/torch/export/__init__.py", line 311, in export
    raise e
  File "/home/me/model.py", line 7, in forward
    if x.sum() > 0:
  File "/usr/lib/python3.11/site-packages/torch/fx/experimental/symbolic_shapes.py", line 9, in f
    raise GuardOnDataDependentSymNode(expr)
torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: {GUARD}
"""


def first(text: str) -> tuple[str, bool]:
    """The best entry of a text, and whether it is sure."""
    best = explain(text).answers[0]
    return best.entry.id, best.sure


def entry(entry_id: str, title: str, *wordings: str, also: str = "") -> Entry:
    """An entry of these wordings that says nothing else."""
    return Entry(entry_id, title, "", "", Path(), 1, also=also,
                 messages=tuple(catalogue.template(w) for w in wordings))  # fmt: skip
