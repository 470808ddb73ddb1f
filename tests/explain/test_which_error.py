"""Which of the errors in a text is the one to explain."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from exportdb.explain import explain
from exportdb.explain.reading import read
from tests.explain.texts import GUARD, first

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import dresses


def test_the_cause_comes_before_what_wraps_it() -> None:
    inner = "LoweringException: AssertionError: should have been handled in replace_random.py"
    text = f"BackendCompilerFailed: backend='inductor' raised:\n{inner}\n  target: aten.rand"
    assert [a.entry.id for a in explain(text).answers if a.sure] == ["E0801", "E0812", "E0609"]


def test_another_number_is_another_error_of_a_runtime() -> None:
    lacks, other = (first(f"RuntimeError: Failed to load method forward, error: 0x:{n}")
                    for n in ("14", "1"))  # fmt: skip
    assert (lacks, other) == (("E0904", True), ("E0907", True))


def test_the_last_of_two_exceptions_comes_before_what_led_to_it() -> None:
    earlier = (
        "ValueError: treespec.unflatten(leaves): `leaves` has length 2 but the spec refers to a "
        "pytree that holds 1 items (TreeSpec(list, None, [*]))."
    )
    last = (
        "RuntimeError: # Failed to convert 'dynamic_axes' to 'dynamic_shapes'. Please provide "
        "'dynamic_shapes' directly."
    )
    for one, other, entry in ((earlier, last, "E0709"), (last, earlier, "E0217")):
        assert first(f"{one}\n\nThe above exception was the direct cause:\n\n{other}") == (
            entry,
            True,
        )


@pytest.mark.parametrize("frame", [
    '  File "/x/torch/fx/proxy.py", line 327, in to_bool\n    raise TraceError(\n        '
    "'symbolically traced variables cannot be used '\n        'as inputs to control flow')",
    "File ~/x/site-packages/torch/fx/proxy.py:327, in to_bool(self, obj)\n    326 seen = 'a loop'\n"
    "--> 327 raise TraceError('symbolically traced variables cannot be used as inputs to control "
    "flow')\n    328 other = 'a name of another'",
])  # fmt: skip
def test_a_traceback_cut_at_the_line_that_raises_is_read_by_what_that_line_quotes(
    frame: str,
) -> None:
    assert first(frame) == ("E1201", True)
    elsewhere = frame.replace("--> 327", "    327").replace("    326", "--> 326")
    assert explain(elsewhere).sure == ("-->" not in frame)  # a notebook shows more lines than ran
    assert "loop" not in read(frame).tokens and "another" not in read(frame).tokens
    raised = "TraceError: Proxy object cannot be iterated"  # what it said then counts alone
    assert read(f"{frame}\n{raised}").tokens == tuple(read(raised).tokens)


def test_eager_errors_are_explained_only_around_an_export() -> None:
    message = (
        "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."
    )
    assert not explain(message).sure
    assert first(f'  File "torch/export/_trace.py", line 3, in _export\n{message}') == (
        "E0307",
        True,
    )


@pytest.mark.parametrize("message", [
    "mat1 and mat2 must have the same dtype, but got Float and Half",
    "expected mat1 and mat2 to have the same dtype, but got: float != c10::Half",
    "expected scalar type torch.float16 but found torch.float32",
])  # fmt: skip
def test_two_dtypes_are_an_error_of_a_capture_only_where_one_is_named(message: str) -> None:
    raised = f"RuntimeError: {message}"
    frame = '  File "/x/torch/{}.py", line 3, in {}\n'
    assert not explain(raised).sure
    assert not explain(frame.format("nn/modules/linear", "forward") + raised).sure
    captured = frame.format("_subclasses/fake_tensor", "_dispatch_impl") + raised
    assert first(captured) == ("E0440", True)


def test_the_log_of_a_failed_meta_kernel_tells_nothing_of_the_error() -> None:
    error = "RuntimeError: Could not guard on data-dependent expression Eq(u0, 1)"
    log = "E0726 12:48:36.645000 140715 torch/_subclasses/fake_tensor.py:1761] [0/0] failed while "
    logged = f"{log}attempting to run meta for aten.select.int\n{error}"
    assert read(logged).tokens == read(error).tokens
    assert first(logged) == ("E0001", True)


def test_what_a_launcher_of_processes_says_tells_nothing_of_the_error() -> None:
    error = "TypeError: The argument 'alpha' is not comparable."
    launched = dresses.DRESSES["launcher"](error)
    assert "childfailederror" in launched.lower()
    assert explain(launched).answers[0].entry.id == first(error)[0] == "E0132"


def test_what_is_not_known_gets_neighbours_and_a_way_to_report_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXPORTDB_ISSUES", "https://issues.example/new")
    found = explain("torch.export failed: data-dependent guard something new")
    assert not found.sure and found.entry is None
    assert len(found.answers) >= 3 and found.cases
    assert found.draft_export and "something+new" in found.report
    assert explain("something quite new is odd\n").report.count("quite+new") == 2  # title and text
    assert "similar, not sure" in str(found)


def test_what_torch_says_below_every_error_tells_nothing() -> None:
    footer = (
        "\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this especially if "
        "you're reporting a bug to PyTorch). For even more developer context, set "
        'TORCH_LOGS="+dynamo"\n\nYou can suppress this exception and fall back to eager by '
        "setting:\n    import torch._dynamo\n    torch._dynamo.config.suppress_errors = True\n"
    )
    for text in ("AssertionError: failed to get the hash", GUARD, "KeyError: source of a thing"):
        assert read(text + footer).terms == read(text).terms
        assert explain(text + footer).answers == explain(text).answers
    assert read(footer).tokens  # where nothing else is said, this is


def test_what_a_warning_said_before_the_error_is_not_what_ended_the_program() -> None:
    warned = (
        "/usr/lib/contextlib.py:158: UserWarning: The tensor attributes self.lstm._flat_weights[0] "
        "were assigned during export. Such attributes must be registered as buffers using the "
        "`register_buffer` API.\n  self.gen.throw(typ, value, traceback)\n"
    )
    raised = (
        'Traceback (most recent call last):\n  File "/home/u/net.py", line 14, in forward\n'
        "    y, _ = self.lstm(packed)\nTypeError: zeros(): argument 'size' failed to unpack the "
        'object at pos 2 with error "type must be tuple of ints,but got FakeTensor"\n'
    )
    assert explain(warned + raised).answers[0].entry.id == "E0008"
    assert explain(warned).answers[0].entry.id == "E0308"  # where nothing else is said, this is


def test_a_warning_above_a_line_that_says_error_is_not_what_ended_the_program() -> None:
    warned = "TracerWarning: Iterating over a tensor might cause the trace to be incorrect.\n"
    raised = "Error during torch.jit.trace: Tracer cannot infer type of {'boxes': tensor([[1.0]])}"
    assert first(warned + raised) == ("E0501", True)
    assert first(warned) == ("E0514", True)  # where nothing else is said, this is


def test_the_head_of_a_notebooks_traceback_says_nothing() -> None:
    head = f"{'AssertionError':<42}Traceback (most recent call last)"
    message = "AssertionError: s0 is 4"
    assert read(f"{head}\n{message}").tokens == read(message).tokens
    assert read(f"{head}\n{message}").terms == read(message).terms


def test_the_head_names_the_exception_of_a_notebooks_traceback_that_was_cut() -> None:
    head = f"{'TorchRuntimeError':<42}Traceback (most recent call last)"
    frames = (
        "Cell In[2], line 17\n     16 words = tokens(text)\n---> 17 net = compiled(words)\n\n"
        "File ~/env/lib/python3.12/site-packages/net/serve.py:266, in compiled(words)\n"
        "--> 266 return run(words)"
    )
    assert "torchruntimeerror" in read(f"{head}\n{frames}").terms
    assert "E0610" in [a.entry.id for a in explain(f"{head}\n{frames}").answers[:3]]


@pytest.mark.parametrize("hint", [
    "It may be possible to write Dynamo tracing rules for this code. Please report an issue to "
    "PyTorch if you encounter this graph break often and it is causing performance issues.",
    "This graph break is fundamental - it is unlikely that Dynamo will ever be able to trace "
    "through your code. Consider finding a workaround.",
    "This graph break may be difficult to debug. Please report an issue to PyTorch.",
    "This is likely to be a Dynamo bug. Please report an issue to PyTorch.",
])  # fmt: skip
def test_what_torch_hints_at_below_any_graph_break_tells_nothing_of_one(hint: str) -> None:
    message = "Unsupported: Attempted to use `torch.nn.Parameter()` with export"
    hinted = (
        f"torch._dynamo.exc.{message}\n  Explanation: Dynamo does not support this.\n"
        f"  Hint: Do not use `torch.nn.Parameter()` with export.\n  Hint: {hint}\n\n"
        "  Developer debug context: \n\n For more details about this graph break, please visit: "
        "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0244.html\n"
    )
    assert first(hinted) == first(message) == ("E0615", True)
