"""Which lines of torch's export and TorchDynamo generated programs reach, and what that costs.

    python tools/lines_reached.py [--programs 120] [--seed 0] [--exporter export,export-strict]
                                  [--cases N] [--json FILE]

Makes programs and captures each in this process, first unwatched, then with every line of
torch/export, torch/_export and torch/_dynamo watched until it is reached for the first time
(``sys.monitoring``, so Python 3.12 or later). Prints the CPU seconds of both, the share of lines
reached in each folder, how many lines the last quarter of the programs added, and the files of
which most is left. Only lines of functions count: the others run when torch is imported.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from exportdb import resolve  # noqa: E402
from exportdb.exporters.protocol import Program  # noqa: E402
from exportdb.hunt import generate  # noqa: E402
from exportdb.hunt.partial_program import fresh_space, run  # noqa: E402

TORCH = Path(torch.__file__).parent
FOLDERS = ("export", "_export", "_dynamo")
#: What compile says of code that is a function's.
_FUNCTION = 0x1
_TOOL = 3
Lines = set[tuple[str, int]]


def lines_of(folder: Path) -> Lines:
    """The lines of all functions in a folder."""
    found: Lines = set()
    for path in folder.rglob("*.py"):
        whole = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
        for code in _functions(whole):
            # The line of its head is no line that it runs.
            found |= {(str(path), n) for *_, n in code.co_lines() if n and n > code.co_firstlineno}
    return found


def _functions(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_flags & _FUNCTION:
                yield inner
            yield from _functions(inner)


@contextlib.contextmanager
def watched(reached: Lines) -> Iterator[None]:
    """Put the lines that run meanwhile into ``reached``, each told once, which costs little."""
    monitoring = sys.monitoring
    folders = tuple(f"{TORCH / name}/" for name in FOLDERS)

    def line(code: CodeType, number: int) -> object:
        if code.co_filename.startswith(folders):
            reached.add((code.co_filename, number))
        return monitoring.DISABLE

    monitoring.use_tool_id(_TOOL, "lines reached")
    monitoring.register_callback(_TOOL, monitoring.events.LINE, line)
    monitoring.set_events(_TOOL, monitoring.events.LINE)
    try:
        yield
    finally:
        monitoring.set_events(_TOOL, 0)
        monitoring.free_tool_id(_TOOL)


def capture_all(texts: Sequence[str], exporters: Sequence[object]) -> float:
    """Capture every program with every exporter, whatever comes of it; the CPU seconds it took."""
    began = time.process_time()
    for text in texts:
        for exporter in exporters:
            with warnings.catch_warnings(), contextlib.suppress(Exception):
                warnings.simplefilter("ignore")
                torch._dynamo.reset()
                space = fresh_space("captured")
                run(text, space)
                given = space["inputs"]()
                args = given if isinstance(given, tuple) else (given,)
                shapes = space.get("dynamic_shapes")
                program = Program(space["Model"](), args, {}, shapes, "cpu")
                exporter.capture(program)(*args)  # type: ignore[attr-defined]
    return time.process_time() - began


def measure(texts: Sequence[str], exporters: Sequence[object]) -> dict[str, object]:
    """What the docstring of this module says, as data."""
    capture_all(texts[:5], exporters)  # what is only slow at first is no cost of watching
    plain = capture_all(texts, exporters)
    reached: Lines = set()
    cut = len(texts) * 3 // 4
    with watched(reached):
        seconds = capture_all(texts[:cut], exporters)
        before = len(reached)
        seconds += capture_all(texts[cut:], exporters)
    found: dict[str, object] = {
        "programs": len(texts), "seconds unwatched": round(plain, 1),
        "seconds watched": round(seconds, 1),
        "added by the last quarter": (len(reached) - before) / max(1, len(reached)),
    }  # fmt: skip
    left: dict[str, int] = {}
    for name in FOLDERS:
        every = lines_of(TORCH / name)
        found[f"torch/{name}"] = f"{len(every & reached)} of {len(every)} lines"
        found[f"share of torch/{name}"] = len(every & reached) / max(1, len(every))
        for path, _ in every - reached:
            left[path] = left.get(path, 0) + 1
    most = sorted(left, key=lambda path: -left[path])[:12]
    found["most left"] = {str(Path(p).relative_to(TORCH)): left[p] for p in most}
    return found


def main() -> int:
    """Measure, print what was found, and give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--exporter", default="export,export-strict")
    parser.add_argument("--cases", type=int, metavar="N", help="so many cases in place of programs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    given = parser.parse_args()
    if not hasattr(sys, "monitoring"):
        print("needs Python 3.12 or later", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    if given.cases:
        cases = list(resolve.load())
        texts = [c.source for c in random.Random(given.seed).sample(cases, given.cases)]
    else:
        made = generate.programs(given.seed, range(given.programs))
        texts = [str(one["text"]) for one in made]
    found = measure(texts, [ref.load() for ref in resolve.find_exporters([given.exporter])])
    for name, value in found.items():
        print(f"{name}: {value:.1%}" if isinstance(value, float) and value <= 1 else
              f"{name}: {value}")  # fmt: skip
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
