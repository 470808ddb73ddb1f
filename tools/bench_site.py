"""What the site costs with many cases: to build, to change, to load, to search.

    python tools/bench_site.py [--cases 1000] [--cases 2500] [--cases 5000] [--out DIR]

The database is filled up with synthetic cases of sixty cells each (twelve exporters, torch 2.11 to
2.15, cpu and meta; programs, graphs and error texts as long as real ones), and the real command
builds it. Prints for each number of cases what was measured beside the budget for 1,000. CPU
seconds are those of all processes. Sizes are after gzip, as any host sends them. The browser's
part needs Chromium.

A report, not a test. The exit code is 1 when something is over its budget at 1,000 cases, or grows
faster than the number of cases.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import yaml

from exportdb.cases import catalogue, database, vocabulary
from exportdb.site.load import Inputs, load

#: What is measured, its unit, and the most it may be at 1,000 cases.
BUDGETS = {
    "build, cold, two jobs": ("CPU s", 60.0),
    "memory of its largest process": ("MB", None),
    "build, one case changed": ("CPU s", 5.0),
    "memory for that": ("MB", None),
    "pages written for that": ("pages", None),
    "the whole site": ("MB", None),
    "case page, median": ("KB", 10.0),
    "case page, largest": ("KB", None),
    "first load": ("KB", 300.0),
    "index": ("KB", 100.0),
    "explorer ready": ("ms", None),
    "key to result, median": ("CPU ms", 150.0),
    "key to result, slowest": ("CPU ms", 150.0),
    "the same by the clock": ("ms", None),
}
EXPORTERS = ("export", "export-strict", "export-deferred", "export-draft", "make-fx", "jit-trace",
             "symbolic", "aot-eager", "aot-inductor", "onnx", "openvino", "executorch")  # fmt: skip
PLACES = ("2.11/cpu", "2.13/cpu", "2.15/cpu", "2.13/meta", "2.15/meta")
OUTCOMES = ("supported",) * 14 + ("refused",) * 3 + ("specialized", "unguarded", "wrong")
OPERATORS = ("sin", "relu", "exp", "tanh", "sigmoid", "abs", "neg", "sqrt", "cumsum", "softmax")
WORDS = """
index mask gather branch loop size shape batch dynamic view stride buffer guard scan cond
padding ragged cache rotary attention embedding slice reduce sort unique topk window conv
norm pool pixel frame token beam graph edge sparse dense float integer bool complex half
alias mutation closure partial dataclass tuple nested optional keyword default flag list
dict counter state hook module parameter tied shared frozen lazy meta fake unbacked backed
divisible multiple equal ordered positive empty zero one large overflow negative
""".split()  # noqa: SIM905 - as a list it would be a page long


class Synthetic:
    """Writes cases; the same seed gives the same ones."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.tags = list(vocabulary.load().tags)
        self.entries = list(catalogue.load().entries)
        real = load(Inputs()).cells
        self.errors = sorted({(c.error.type, c.error.message) for c in real if c.error})

    def words(self, least: int, most: int) -> str:
        count = self.random.randint(least, most)
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def write(self, tree: Path, count: int) -> None:
        """Write this many cases, forty to a topic."""
        for i in range(count):
            name = f"{self.random.choice(WORDS)}_{self.random.choice(WORDS)}_{i}"
            path = tree / f"synthetic_{i // 40}" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [self.random.choice(OPERATORS) for _ in range(self.random.randint(3, 14))]
            path.write_text(self.program(lines))
            text = yaml.dump(self.expectations(lines), Dumper=yaml.CSafeDumper, sort_keys=False)
            path.with_suffix(".yaml").write_text(text)

    def program(self, operators: list[str]) -> str:
        tags = ", ".join(sorted(self.random.sample(self.tags, self.random.randint(1, 4))))
        errors = self.random.choice(self.entries) if self.random.random() < 0.25 else ""
        body = "\n".join(f"        x = torch.{name}(x) + {i}" for i, name in enumerate(operators))
        return (
            f'"""\ntitle: {self.words(4, 8).capitalize()}\ndescription: >\n'
            f"  {self.words(12, 18)}\n  {self.words(12, 18)}\ntags: [{tags}]\nerrors: [{errors}]\n"
            f'"""\n\nimport torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n'
            f"{body}\n        return x\n\n\ndef inputs(n=5):\n    return (torch.randn(n, 7),)\n\n\n"
            'dynamic_shapes = {"x": {0: torch.export.Dim("n", min=2, max=64)}}\n'
        )

    def expectations(self, operators: list[str]) -> dict[str, Any]:
        return {name: self.entry(name, operators) for name in EXPORTERS}

    def entry(self, exporter: str, operators: list[str]) -> list[dict[str, Any]]:
        older, newest = list(PLACES[:2] + PLACES[3:4]), [PLACES[2], PLACES[4]]
        first = self.value(exporter, operators)
        if self.random.random() > 0.1:
            return [{**first, "measured": list(PLACES)}]
        changed = {**self.value(exporter, operators), "when": {"torch": ">=2.15"}}
        return [{**first, "measured": older}, {**changed, "measured": newest}]

    def value(self, exporter: str, operators: list[str]) -> dict[str, Any]:
        outcome = self.random.choice(OUTCOMES)
        value: dict[str, Any] = {"outcome": outcome}
        if outcome == "refused":
            error_type, message = self.random.choice(self.errors)
            if self.random.random() < 0.3:
                message = f"{message[:60]} {self.words(2, 6)} {self.random.randint(1, 99)}"
            value |= {"phase": "capture", "error": {
                "type": error_type, "message": message,
                "fingerprint": f"{self.random.getrandbits(64):016x}"}}  # fmt: skip
            return value
        if outcome != "supported":
            value["samples"] = {"accepts[0]": "raised" if outcome == "specialized" else "disagrees"}
        if exporter in EXPORTERS[:5]:
            value["graph"] = "".join(
                f"%{2 * i + 1}: float32[s0, 7] = aten.{name}.default(%{2 * i})\n"
                f"%{2 * i + 2}: float32[s0, 7] = aten.add.Tensor(%{2 * i + 1}, {i})\n"
                for i, name in enumerate(operators)
            )
            value["ranges"] = {"x.size()[0]": [2, 64]}
        return value


def cost(words: list[str]) -> tuple[float, float]:
    """CPU seconds of a command and all that it started, and MB of the largest process of these."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(words)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compressed(path: Path) -> float:
    """KB of a file as a host sends it."""
    return len(gzip.compress(path.read_bytes(), 6)) / 1024


def measure(count: int, folder: Path) -> dict[str, float]:
    """Everything at this number of cases."""
    tree, out = folder / "tree", folder / "site"
    Synthetic().write(tree, count - len(database.load().cases))
    command = [sys.executable, "-m", "exportdb", "site", "--cases", str(tree), "--out", str(out),
               "--home", str(folder / "home"), "--jobs", "2"]  # fmt: skip
    found = {}
    found["build, cold, two jobs"], found["memory of its largest process"] = cost(command)
    found["the whole site"] = sum(p.stat().st_size for p in out.rglob("*") if p.is_file()) / 2**20
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*.html")}
    edit(next(tree.rglob("*.py")))
    found["build, one case changed"], found["memory for that"] = cost(command)
    written = [p for p in out.rglob("*.html") if p.stat().st_mtime_ns != before.get(p)]
    found["pages written for that"] = len(written)
    pages = [compressed(p) for p in (out / "cases").rglob("*.html")]
    found["case page, median"] = statistics.median(pages)
    found["case page, largest"] = max(pages)
    found["index"] = compressed(out / "_static" / "explorer-index.js")
    return {**found, **in_browser(out)}


def edit(case: Path) -> None:
    """Change a case as its author does: its text, its program and what comes of it."""
    text = case.read_text().replace("return x", "return x + 1", 1)
    case.write_text(text.replace("description: >", "description: >\n  Edited.", 1))
    expected = case.with_suffix(".yaml")
    expected.write_text(expected.read_text().replace("outcome: supported", "outcome: wrong", 1))


#: Milliseconds from a change of the field to the next frame on the screen, by the clock. What
#: counts is what the page's thread works in that time: the clock also shows who else is busy.
TYPE = """async (text) => {
  const field = document.getElementById("xdb-q");
  const started = performance.now();
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - started;
}"""
CLICK = """async (selector) => {
  const started = performance.now();
  document.querySelector(selector).click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - started;
}"""
TYPED = ("torch.cond", "index_put_", "dynamic batch", "aten.softmax",
         "GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u7, 1) "
         "(unhinted: Eq(u7, 1)).")  # fmt: skip


def in_browser(out: Path) -> dict[str, float]:
    """First load and search in the system's Chromium; nothing where there is none."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        return {}
    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    asked: list[str] = []
    handler = functools.partial(Quiet, directory=str(out))
    with (
        http.server.ThreadingHTTPServer(("localhost", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://localhost:{server.server_address[1]}/"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(root + "index.html")
        page.wait_for_load_state("networkidle")
        ready = page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        took: list[tuple[float, float]] = []

        def time_of(script: str, argument: str) -> None:
            before = _worked(session)
            clock = page.evaluate(script, argument)
            took.append((_worked(session) - before, clock))

        for text in TYPED:
            # A key at a time, but of a long text the beginning and the whole: it is pasted.
            steps = [text[:i] for i in range(1, len(text) + 1)] if len(text) < 20 else [text]
            for step in (*steps, ""):
                time_of(TYPE, step)
        for group in ("outcome", "exporter", "device", "torch"):
            time_of(CLICK, f".xdb-facet-{group} input")
        browser.close()
        server.shutdown()
    paths = {
        out / url.removeprefix(root).partition("?")[0] for url in asked if url.startswith(root)
    }
    return {
        "first load": sum(compressed(path) for path in paths),
        "explorer ready": ready,
        "key to result, median": statistics.median(work for work, _ in took),
        "key to result, slowest": max(work for work, _ in took),
        "the same by the clock": statistics.median(clock for _, clock in took),
    }


def _worked(session: Any) -> float:
    """CPU milliseconds that the page's main thread has worked: scripts, style, layout, painting."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


#: What may grow with the number of cases, and not faster.
GROWING = ("build, cold, two jobs", "memory of its largest process", "the whole site", "index",
           "first load", "explorer ready", "build, one case changed", "memory for that",
           "key to result, median")  # fmt: skip


def main() -> int:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, action="append", metavar="N")
    parser.add_argument("--out", type=Path, help="keep what is built in this folder")
    asked = parser.parse_args()
    results: dict[int, dict[str, float]] = {}
    for count in sorted(asked.cases or [1000]):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (asked.out or Path(temporary)) / str(count)
            results[count] = measure(count, folder)
    return report(results)


def report(results: dict[int, dict[str, float]]) -> int:
    """Print what was measured beside its budget; 1 when something is over it."""
    least = min(results)
    over = False
    print(f"{'':28}{'budget':>12}" + "".join(f"{f'{n:,} cases':>16}" for n in results))
    for name, (unit, budget) in BUDGETS.items():
        cells = []
        for count, found in results.items():
            value = found.get(name)
            if value is None:
                cells.append("not measured")
                continue
            bad = budget is not None and count <= 1000 and value > budget
            grew = name in GROWING and value > 1.2 * found_at(results, least, name) * count / least
            over |= bad or grew
            cells.append(
                f"{value:,.1f}" + (" over" if bad else " worse than linear" if grew else "")
            )
        shown = f"{budget:g} {unit}" if budget else unit
        print(f"{name:28}{shown:>12}" + "".join(f"{cell:>16}" for cell in cells))
    return int(over)


def found_at(results: dict[int, dict[str, float]], count: int, name: str) -> float:
    """What was measured at a number of cases; infinite where it was not."""
    return results[count].get(name, float("inf"))


if __name__ == "__main__":
    sys.exit(main())
