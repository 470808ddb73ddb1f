"""The same error as logs, notebooks, pages, launchers and pagers show it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exportdb.cases import catalogue
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import clean, read
from tests.explain.texts import first

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import bench_explain
import dresses


def wrapped(text: str) -> str:
    return "\n".join(text[i : i + 80] for i in range(0, len(text), 80))


@pytest.mark.parametrize("dress", [
    lambda t: t,
    lambda t: "\x1b[1m\x1b[31m" + t.replace(" ", "\x1b[0m ") + "\x1b[0m",
    lambda t: "".join(f"[rank0]: {line}\n" for line in t.splitlines()),
    lambda t: "".join(f"E   {line}\n" for line in t.splitlines()) + "\nmodel.py:3: Error",
    lambda t: "".join(f"W0612 12:00:00.000000 1234 torch/_dynamo/x.py:12] [0/0] {line}\n"
                      for line in t.splitlines()),
    lambda t: f"I get `{t}` when I export my model, please help",
    lambda t: t.replace("\n", "\r\n"),
    lambda t: t[len(t) // 5 :],
    lambda t: t[: 2 * len(t) // 3],
    lambda t: f"{t}\n\nDuring handling of the above exception, another exception occurred:\n\n"
              "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nSystemError: no",
    wrapped,
])  # fmt: skip
@pytest.mark.parametrize("text", [
    "torch._dynamo.exc.UserError: Detected mismatch between the structure of `inputs` and "
    "`dynamic_shapes`: `inputs` has 2 elements, but `dynamic_shapes` has 1 elements",
    "RuntimeError: Found <class 'M'> in output, which is not a known type. If this type holds "
    "tensors, you need to register a pytree for it. See the issue for a brief explanation why.",
    "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped\n"
    "  Explanation: Dynamo developers have intentionally marked that the function `f` in file "
    "`a.py` should not be traced.\n  Hint: Avoid calling the function `f`.",
])  # fmt: skip
def test_a_text_is_recognised_in_any_dress(text: str, dress) -> None:  # type: ignore[no-untyped-def]
    entry, sure = first(text)
    assert sure
    assert first(dress(text)) == (entry, True)


def test_wordings_in_the_clothes_of_logs_notebooks_and_pages_are_found_with_the_users_line() -> (
    None
):
    found = bench_explain.dressed(every=80)
    assert len(found) > 25 and min(texts for texts, *_ in found.values()) > 40
    for name, (texts, right, wrong, lost) in found.items():
        least = 0.7 if name in dresses.CUTS else 0.95
        assert right >= least * texts and (wrong, lost) == (0, 0), (name, right, texts, wrong, lost)


def test_an_error_as_long_as_the_line_above_it_is_a_line_of_its_own() -> None:
    source = "    torch.export.export(torch.nn.Linear(3, 2), (x,), constraints=[])"
    error = "TypeError: export() got an unexpected keyword argument 'constraints'"
    assert len(source) == len(error)
    entry, sure = first(f'  File "/tmp/x/program.py", line 4, in <module>\n{source}\n{error}')
    assert (entry, sure) == ("E0218", True)


def test_a_word_that_was_cut_counts_as_the_only_one_that_goes_on_so() -> None:
    plain = next(iter(catalogue.load().entries.values()))
    told = ["the flux capacitor of {name} is overloaded by plasma", "the warp core is overheated"]
    own = Matcher([replace(plain, messages=tuple(map(catalogue.template, told)), registry={})])

    def share(text: str) -> int:
        return own.rank(read(text))[0].share

    assert share("flux capacitor of x is") < share("flux capacitor of x is overlo")
    assert share("flux capacitor of x is overlo") == share("flux capacitor of x is overloaded")
    assert share("flux capacitor of x is ove") == share("flux capacitor of x is")  # two go on so


@pytest.mark.parametrize("between", [" ", "\0"])
def test_letters_of_two_bytes_are_read(between: str) -> None:
    said = (
        "[E:onnxruntime:, sequential_executor.cc:514] Non-zero status code returned while running"
    )
    assert between.join(said) != said == clean(between.join(said)).strip()


def test_a_pytest_report_cut_in_the_error_keeps_the_line_that_lost_its_mark() -> None:
    text = (
        "torch._dynamo.exc.UserError: Cannot export model which references tensors that are "
        "neither buffers/parameters/constants nor are direct inputs.\n"
        "E           \nE           L['offsets'], a closed over free variable"
    )
    assert first(text) == ("E0214", True)


def test_the_head_of_a_quoted_notebook_names_its_exception() -> None:
    lines = ["-----", "ConstraintViolationError        Traceback (most recent call last)",
             "Cell In[3], line 2", "----> 2 program = capture(model)"]  # fmt: skip
    quoted = "".join(f"> {line}\n" for line in lines)
    assert read(quoted).terms == read("\n".join(lines)).terms
    assert "constraintviolationerror" in read(quoted).terms


def test_a_place_that_the_edge_of_a_box_breaks_is_one_place() -> None:
    box = (
        "╭──────────── Traceback (most recent call last) ────────────╮\n"
        "│ /home/me/env/lib/site-packages/torch/onnx/_internal/expor │\n"
        "│ ter.py:1509 in dynamo_export                              │\n"
        "│                                                           │\n"
        "│ ❱ 1509 │   ).export()                                     │\n"
    )
    assert "torch.onnx._internal.exporter:dynamo_export" in read(box).terms


def test_where_a_traceback_ends_in_a_frame_the_source_of_it_tells() -> None:
    frame = '  File "a.py", line 3, in f\n    to_backend(x)'
    cut = f"Loaded.\nTraceback (most recent call last):\n{frame}"
    assert "to_backend" in read(cut).terms
    assert "to_backend" not in read(f"{cut}\nValueError: no").terms
