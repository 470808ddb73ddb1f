"""The layers of the architecture hold: imports run one way, and reading imports no torch.

The order is that of docs/architecture.md: a module may import from its own layer and from those
before it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import exportdb

ROOT = Path(exportdb.__file__).parent
LAYERS = [
    "hints", "prose", "files", "distributions", "cases", "explain", "records", "plugins",
    "environments", "executors", "store", "reports", "devices", "symbolic", "exporters", "suites",
    "conformance", "runner", "api", "diagnose", "hunt", "site", "config", "resolve", "cli",
    "pytest_plugin",
]  # fmt: skip
MAY_USE_TORCH = {
    "devices",
    "suites",
    "symbolic",
    "exporters",
    "conformance",
    "executors",
    "runner",
    "api",
    "diagnose",
    "hunt",
}
# Layers that are told nothing of the layers before them, though those lie below.
KNOWS_NOT = {
    "devices": {"cases", "records"},
    "symbolic": {"cases", "records"},
    "exporters": {"cases", "records"},
}
READING = {"cases", "records", "store", "reports", "cli", "plugins.py"}
MODULES = sorted(ROOT.rglob("*.py"))
#: What stands beside the package in a checkout.
BESIDE = [
    path for folder in ("tools", "plugins") for path in sorted((ROOT.parent / folder).rglob("*.py"))
    if not any(part.startswith(".") for part in path.relative_to(ROOT.parent).parts)
]  # fmt: skip
#: Lines that a function may have: what is longer is several steps, and each wants a name.
LONGEST = 60


def layer_of(module: str) -> str:
    """``cases`` of ``exportdb.cases.database``."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at whatever depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_module_imports_only_from_its_layer_and_those_below(path: Path) -> None:
    own = path.relative_to(ROOT).with_suffix("").parts[0]
    if own in ("__init__", "__main__"):
        return
    used = {layer_of(m) for m in imports(path) if m.startswith("exportdb.")} - {own, ""}
    used -= {"__version__"}
    above = {u for u in used if LAYERS.index(u) > LAYERS.index(own)}
    assert not above, f"{path.name} on layer {own} imports from {sorted(above)}, which stand above"
    assert not used & KNOWS_NOT.get(own, set()), f"{own} must not know {used & KNOWS_NOT[own]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_only_the_layers_that_examine_name_torch(path: Path) -> None:
    own = path.relative_to(ROOT).with_suffix("").parts[0]
    if own not in MAY_USE_TORCH:
        assert not {m for m in imports(path) if m.split(".")[0] == "torch"}


@pytest.mark.parametrize(
    "path", [*MODULES, *BESIDE], ids=lambda p: p.relative_to(ROOT.parent).as_posix()
)
def test_no_function_is_longer_than_a_page(path: Path) -> None:
    functions = [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]  # fmt: skip
    long = [f.name for f in functions if (f.end_lineno or 0) - f.lineno >= LONGEST]
    assert not long, f"{path.name}: more than {LONGEST} lines in {', '.join(long)}"


def test_no_two_classes_share_a_name() -> None:
    where: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                where.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert not {name: found for name, found in where.items() if len(found) > 1}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_outcomes_are_told_apart_by_their_own_questions(path: Path) -> None:
    if path.name == "outcome.py":
        return
    text = path.read_text(encoding="utf-8")
    listed = [
        ast.unparse(node) for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Tuple | ast.List | ast.Set)
        and sum(ast.unparse(e).startswith("Outcome.") for e in node.elts) > 1
    ]  # fmt: skip
    assert not listed, f"{path.name}: make {listed} a question of Outcome"


def test_every_layer_is_on_the_page_on_architecture_in_its_place() -> None:
    page = ROOT.parent / "docs" / "architecture.md"
    if not page.is_file():
        pytest.skip("an installed package has no pages")
    table = page.read_text(encoding="utf-8").partition("| layer |")[2].partition("\n\n")[0]
    firsts = " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))
    named = re.findall(r"`exportdb/(\w+)", firsts)
    assert named == LAYERS
    assert set(named) == {
        p.stem for p in ROOT.iterdir()
        if (p.is_dir() or p.suffix == ".py") and not p.name.startswith("_")
    }  # fmt: skip


def test_what_reads_the_database_imports_no_torch() -> None:
    """Importing every module of the reading layers, in one process, leaves torch out."""
    reading = [
        ".".join(["exportdb", *p.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")
        for p in MODULES
        if p.relative_to(ROOT).parts[0] in READING
    ] + ["exportdb.exporters.torch_export", "exportdb.devices.builtin", "exportdb.runner.run"]
    code = f"import sys\nfor m in {reading!r}: __import__(m)\nprint('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
