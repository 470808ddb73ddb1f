"""What an answer holds: the user's own line, symbols, the best case and its rewrite."""

from __future__ import annotations

import pytest

from exportdb.explain import explain
from exportdb.explain.frames import user_line
from exportdb.explain.reading import symbols
from tests.explain.texts import GUARD, TRACEBACK


def test_the_users_own_line_is_found() -> None:
    place = user_line(TRACEBACK)
    assert place is not None
    assert (place.file, place.line, place.source) == ("/home/me/model.py", 7, "if x.sum() > 0:")
    strict = (
        'Unsupported: x\n\nfrom user code:\n   File "/home/me/m.py", line 5, in forward\n    y()'
    )
    assert str(user_line(strict)) == "/home/me/m.py:5 in forward"
    assert user_line("RuntimeError: nothing") is None


def test_the_line_that_calls_cond_is_the_users_where_only_torch_is_named_as_user_code() -> None:
    torch = "/usr/lib/python3.11/site-packages/torch"
    text = f"""\
Traceback (most recent call last):
  File "/home/me/model.py", line 7, in forward
    return torch.cond(x.sum() > 0, wide, narrow, (x,))
  File "{torch}/_higher_order_ops/cond.py", line 9, in cond
    return cond_op(*args, **kwargs)
torch._dynamo.exc.UncapturedHigherOrderOpError: Expected {{}}

from user code:
   File "{torch}/_higher_order_ops/cond.py", line 242, in _cond_op_wrapper
    return cond_op(*args, **kwargs)
"""
    place = user_line(text)
    assert place and (place.file, place.line) == ("/home/me/model.py", 7)
    library = text.replace(f"{torch}/_higher", "/usr/lib/python3.11/site-packages/hub/_higher")
    place = user_line(library)
    assert place and place.file.endswith("hub/_higher_order_ops/cond.py")


def test_symbols_and_conditions_are_named() -> None:
    found = explain(TRACEBACK)
    assert found.symbols == ("u0",)
    assert found.expressions == ("Eq(u0, 1)",)
    assert symbols("s77 and zuf0, but no Resnet18 or u") == ("s77", "zuf0")


def test_the_best_case_comes_with_its_rewrite() -> None:
    shown = explain(TRACEBACK).cases[0]
    assert shown.rewrite is not None
    assert "+" in shown.diff and f"+++ {shown.rewrite.id}" in shown.diff


@pytest.mark.parametrize(("line", "topic"), [
    ("for i in range(n.item()):", "control_flow"), ("while i < n.item():", "control_flow"),
    ("for expert in torch.nonzero(hits):", "routing"),
])  # fmt: skip
def test_the_first_case_has_a_line_like_the_users_and_is_of_no_other_field(
    line: str, topic: str
) -> None:
    words = "expert routing experts" if topic == "routing" else "model"
    text = f'  File "/me/{words}.py", line 9, in forward\n    {line}\nGuardOnDataDependent: {GUARD}'
    assert explain(text).cases[0].case.id.startswith(topic)


def test_the_cases_are_those_of_the_best_entry_alone() -> None:
    text = (
        "TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_method item: got "
        "RuntimeError(\"vmap: It looks like you're calling .item() on a Tensor. We don't support "
        'vmap over calling .item() on a Tensor")'
    )
    found = explain(text)
    assert [a.entry.id for a in found.answers if a.sure] == ["E0422", "E0610"]
    assert found.cases and all("E0422" in shown.case.meta.errors for shown in found.cases)


def test_what_is_only_similar_comes_with_its_remedy_and_without_a_change_to_make() -> None:
    found = explain("torch.export failed: data-dependent guard something new")
    nearest = found.answers[0].entry
    assert all(nearest.id in shown.case.meta.errors for shown in found.cases)
    assert any(shown.rewrite for shown in found.cases)
    assert not any(shown.diff for shown in found.cases)
    said = " ".join(str(found).split())
    assert said.index("If it is this: " + " ".join(nearest.remedy.split())) < said.index(
        "exportdb show"
    )


def test_draft_export_is_named_where_it_helps() -> None:
    assert explain("export fails: number of output names of onnx").draft_export is False
    assert explain("torch.export.export fails on a data dependent guard").draft_export is True


def test_a_rewrite_without_its_diff_ends_its_line() -> None:
    lines = str(explain(TRACEBACK)).splitlines()
    captured = [n for n, line in enumerate(lines) if line.startswith("  captured as ")]
    assert len(captured) > 1
    assert [lines[n].endswith(":") for n in captured] == [True, *[False] * (len(captured) - 1)]
    assert all(not lines[n + 1 : n + 3] or lines[n + 2] for n in captured[1:])
