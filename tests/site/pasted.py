"""Texts of many kinds that are pasted into the explain page."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from exportdb.cases import catalogue
from tests.explain.texts import GUARD, TRACEBACK

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import dresses

#: Lines of a user's program, whole statements and parts of some.
LINES = (
    "for i in range(n.item()):", "elif x.sum() > 0:", "return x.view(x.shape[0] // 2,",
    "return torch.cond(x.sum() > 0, wide, narrow, (x,))", "y = x[mask]", "x += y[:, 1:]",
    "assert x.shape[0] > 3, 'it is empty'", "self.seen **= 2", "caf\u00e9 = {'a\\'b': lambda: x}",
)  # fmt: skip


def at(line: str, error: str = GUARD) -> str:
    """A traceback that ends in a line of the user's."""
    return (
        f'Traceback (most recent call last):\n  File "/me/m.py", line 9, in f\n    {line}\n{error}'
    )


def clothed(every: int) -> list[str]:
    """One of ``every`` so many wordings of the catalogue, in the clothes of terminals, logs,
    notebooks and people, one kind after the other."""
    kinds = [*dresses.DRESSES.values()]
    said = [w for _, w in dresses.wordings(catalogue.load().entries.values(), every)]
    random.Random(13).shuffle(said)
    return [kinds[i % len(kinds)](wording) for i, wording in enumerate(said)]


#: Texts that no entry explains, or that several do.
UNSURE = (
    "RuntimeError: the moon is in the wrong phase", "KeyError: 3",
    "torch._export fails on a data-dependent guard that is new",
    "export fails: number of output names of onnx",
    "something's odd (and new)*, 100 % ~!\nno\u00ebl \U0001f600 & <b>=?",
    "TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_method item: got "
    "RuntimeError(\"vmap: It looks like you're calling .item() on a Tensor. We don't support vmap "
    'over calling .item() on a Tensor")',
)  # fmt: skip

_MARKUP = (
    "</textarea><img src=x onerror='window.harmed = true'><script>window.harmed = true</script>"
)
#: Texts that are meant to break what shows them.
HOSTILE = (
    at(f"y = '{_MARKUP}'", f"RuntimeError: {_MARKUP} {GUARD}"),
    f"RuntimeError: {_MARKUP}", f'  File "/me/{_MARKUP}.py", line 1, in f\n{GUARD}',
    "\x1b[31m" * 999 + "\x1b]0;title\x07" * 99 + "\x9b1m\u202e" + GUARD + "\x1b[2J\x1b",
    "\ud800" + GUARD + "\udc00 \0 \u2028", "\U0001f600" * 4000,
    at("x", f"{GUARD} " * 100) + '\n  File "/me/m.py", line ' + "9" * 5000 + ", in f",
    f"Caused by: (m.py:{'7' * 5000} in f)\n{GUARD}",
)  # fmt: skip

#: The same of a megabyte.
HUGE = (
    "a" * 1_000_000, "(" * 1_000_000, "quantized." * 100_000, (TRACEBACK + "\n") * 1200,
    "/a/b.py:12: in f\n" * 60_000, f"{_MARKUP}\n" * 12_000,
    'from user code:\n  File "/lib/python3.11/site-packages/b.py", line 1, in f\n' * 14_000,
)  # fmt: skip

#: Such that a browser takes long to draw, before a page is asked.
UNDRAWN = (
    "\x1b[31m" * 200_000, GUARD + "\n" * 1_050_000 + "RuntimeError: the moon is in the wrong phase",
)  # fmt: skip
