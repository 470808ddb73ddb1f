"""Which entries of the catalogue the functions of torch that raise are about.

Run as ``python tools/learn_places.py``: reads the sources of the torch that is installed, asks the
catalogue what the message of every ``raise``, ``assert`` and graph break surely means, and writes
``cases/errors/places.txt``: how often, in tenths, each module and function raises what an entry
explains. A traceback that lost its message, or has one that nobody knows, is looked at by the
places that it ends in. Of packages that are not read, :data:`OTHERS` says what they are about.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb.cases import catalogue  # noqa: E402
from exportdb.cases.database import builtin_tree  # noqa: E402
from exportdb.explain.matching import Matcher  # noqa: E402
from exportdb.explain.reading import place_terms  # noqa: E402

#: Parts of torch that capture, compile, save and load programs.
PARTS = (
    "_dynamo", "_export", "_functorch", "_guards.py", "_higher_order_ops", "_inductor", "_library",
    "_ops.py", "_prims", "_prims_common", "_refs", "_subclasses", "ao/quantization", "export",
    "func", "fx", "jit", "nested", "nn/attention", "onnx", "package", "utils/_pytree.py",
)  # fmt: skip
#: What errors of packages that are not read are about, where nothing better is known.
OTHERS = {
    "E0707": ("torch.onnx.utils", "torch.onnx.symbolic_helper", "torch.onnx.symbolic_opset9",
              "torch.onnx._internal.torchscript_exporter"),
    "E0711": ("onnxruntime",),
    "E0804": ("triton.runtime", "triton.backends"),
    "E0812": ("torch._inductor", "triton"),
    "E0903": ("executorch.exir.dialects", "executorch.exir.verification"),
    "E0908": ("executorch.backends", "executorch.exir.backend"),
    "E0909": ("executorch.exir", "executorch.exir.emit", "executorch.extension"),
    "E1208": ("iree", "torch_mlir", "tvm", "coremltools.converters", "openvino"),
    "E1212": ("ai_edge_torch", "coremltools", "litert_torch", "openvino", "optimum", "torch_mlir",
              "torch_migraphx", "torch_tensorrt", "torch_xla", "torchax", "tvm"),
}  # fmt: skip
#: Tenths that an entry of :data:`OTHERS` has, as if so many functions had raised it.
WHOLE = 30
#: Names of functions that end a trace with the message they are given.
ENDS = ("unimplemented", "unimplemented_v2", "unimplemented_with_warning", "_check")


def files(package: Path) -> Iterator[Path]:
    """The sources of the parts of torch that matter."""
    for part in PARTS:
        path = package / part
        yield from [path] if path.suffix else sorted(path.rglob("*.py"))


def said(node: ast.AST) -> str:
    """The literal text of an expression, an ellipsis where something is put in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(said, node.values))
    if isinstance(node, ast.Constant):
        return str(node.value) if isinstance(node.value, str) else ""
    if isinstance(node, ast.BinOp):
        return said(node.left) + said(node.right)
    if isinstance(node, ast.FormattedValue | ast.Name | ast.Attribute):
        return " x "
    if isinstance(node, ast.Call):
        told = [*node.args, *(k.value for k in node.keywords if k.arg != "hints")]
        return " ".join(map(said, told)) or (said(node.func) if node.args else "")
    return ""


def raised(tree: ast.AST, within: str = "") -> Iterator[tuple[str, str, str]]:
    """Function, type and message of everything that a file raises."""
    for node in ast.iter_child_nodes(tree):
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        name = node.name if inside else within  # type: ignore[attr-defined]
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield name, ast.unparse(node.exc.func).rpartition(".")[2], said(node.exc)
        elif isinstance(node, ast.Assert) and node.msg:
            yield name, "AssertionError", said(node.msg)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(ENDS):
            yield name, "Unsupported", said(node)
        yield from raised(node, name)


def learned(package: Path) -> dict[str, dict[str, int]]:
    """Terms of the places of torch by the entries that explain what is raised there."""
    matcher = Matcher(catalogue.load().entries.values())
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in files(package):
        module = "/".join(file.relative_to(package.parent).parts)
        for name, kind, message in raised(ast.parse(file.read_text(encoding="utf-8"))):
            if message.strip() and (entry := matcher.match(kind, message)):
                found[entry].update(
                    dict.fromkeys(place_terms(f'"{module}", line 1, in {name}'), 10)
                )
    for entry, places in OTHERS.items():
        found[entry].update(dict.fromkeys((p if "." in p else f"{p}." for p in places), WHOLE))
    return {e: dict(sorted(terms.items())) for e, terms in sorted(found.items())}


def main() -> None:
    """Write what was learned."""
    spec = importlib.util.find_spec("torch")
    package = Path((spec and spec.origin) or "").parent
    lines = [
        " ".join([entry, *(f"{t} {n}" for t, n in terms.items())])
        for entry, terms in learned(package).items()
    ]
    head = "# Written by tools/learn_places.py; see exportdb/cases/catalogue.py.\n"
    file = catalogue.words_files(builtin_tree())[1]
    file.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
