"""What the end of a run says, and what ``exportdb report`` says of it again, in every form."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from exportdb.cli.text_report import TextReport
from exportdb.records.environment import Environment
from exportdb.records.expectation_files import Expectations
from exportdb.records.jsonl import Header
from exportdb.records.record import ErrorInfo, Finding, Record, SampleResult
from exportdb.reports import badge
from exportdb.reports.background import Background
from exportdb.reports.report import Report, counts

HERE = Environment("2.13.0", "3.11.7", "CPython", "Linux-x86_64")
CONSTRAINT = """Constraints violated (n)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of n = L['x'].size()[0] in the specified range satisfy the guard.

User stack:
  File "/somewhere/torch/_dynamo/functional_export.py", line 232, in forward
    res = self._export_root(*args, **kwargs)

Suggested fixes:
  n = 5

The error above occurred when calling torch.export.export.
"""
#: The part of the published SARIF schema that what we write falls under.
SARIF = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["tool", "results"],
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name"],
                    "properties": {"rules": {"type": "array", "uniqueItems": True, "items": {
                        "type": "object", "required": ["id"],
                        "properties": {"shortDescription": {"$ref": "#/$defs/text"},
                                       "fullDescription": {"$ref": "#/$defs/text"},
                                       "help": {"$ref": "#/$defs/text"}}}}},
                }}},
                "automationDetails": {"type": "object"},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {
                    "type": "object", "required": ["message", "ruleId", "locations"],
                    "additionalProperties": False,
                    "properties": {
                        "ruleId": {"type": "string"},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "message": {"$ref": "#/$defs/text"},
                        "locations": {"type": "array", "items": {
                            "type": "object", "required": ["physicalLocation"],
                            "properties": {"physicalLocation": {
                                "type": "object", "required": ["artifactLocation"],
                                "properties": {
                                    "artifactLocation": {
                                        "type": "object", "required": ["uri"],
                                        "properties": {"uri": {"type": "string",
                                                               "pattern": r"^[^ \\]+$"}}},
                                    "region": {"type": "object", "properties": {
                                        "startLine": {"type": "integer", "minimum": 1}}},
                                }}}}},
                        "partialFingerprints": {
                            "type": "object", "additionalProperties": {"type": "string"}},
                        "properties": {"type": "object"},
                    }}},
            }}},
    },
    "$defs": {"text": {"type": "object", "required": ["text"],
                       "properties": {"text": {"type": "string", "minLength": 1}}}},
}  # fmt: skip


def refused(case: str, device: str = "cpu", seconds: float = 1.0, **more: object) -> Record:
    more = {"error": ErrorInfo("ValueError", "no", "f"), "exporter": "mine", **more}
    return Record(
        case=case, device=device, outcome="refused", phase="capture",
        seconds={"capture": seconds}, **more,
    )  # fmt: skip


def wrong(case: str, **more: object) -> Record:
    samples = (
        SampleResult("example", "example", "agrees"),
        SampleResult("accepts", "n=1", "disagrees", {"n": 1}, "output[0] is 3.0 in eager"),
    )
    more = {"samples": samples, "verdict": "new", **more}
    return Record(case, "mine", "cpu", "wrong", "compare", **more)


class Stored:
    """A run in memory."""

    location = "runs/now.jsonl"

    def __init__(self, records: Sequence[Record]) -> None:
        self.header = Header("now", "2026-01-02T03:04:05+00:00", (HERE,), len(records))
        self.kept = records

    def records(self, query=None):
        return iter(self.kept)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]):
    """Prints a part of the report on some records."""

    def text(part: str, *records: Record) -> str:
        stored = Stored(records)
        report = Report(stored, records, Background(stored.header, Expectations({})))
        getattr(TextReport(report), part)()
        return capsys.readouterr().out

    return text


@pytest.fixture
def file_of(folder: Path):
    """A file of some records in the user's folder, and its name."""

    def written(name: str, *records: Record, arguments: tuple[str, ...] = ()) -> str:
        header = Header("a-run", "2026-01-02T03:04:05+00:00", (HERE,), len(records),
                        arguments=arguments)  # fmt: skip
        lines = [r.with_(run="a-run", env=HERE.digest).encode() + b"\n" for r in records]
        (folder / name).write_bytes(header.encode() + b"".join(lines))
        return name

    return written


# --- what a run says at its end ----------------------------------------------------------------


def test_a_reason_names_the_device_where_there_are_several(printed) -> None:
    assert "t/a · mine cpu, mine toy\n" in printed(
        "causes", refused("t/a", "cpu"), refused("t/a", "toy")
    )


def test_lines_beyond_the_first_are_counted_each_once(printed) -> None:
    def at(line: int) -> ErrorInfo:
        said = f'no kernel\n\nUser stack:\n  File "/home/me/mine.py", line {line}, in capture'
        return ErrorInfo("ValueError", said, "f")

    same = printed("causes", *(refused(f"t/{i}", verdict="new", error=at(7)) for i in range(9)))
    assert same.count("your line: ") == 1 and "more line" not in same
    several = printed(
        "causes", *(refused(f"t/{i}", verdict="new", error=at(i // 2 + 1)) for i in range(14))
    )
    assert several.count("your line: ") == 5 and "and 2 more lines\n" in several


def test_the_slowest_cases_are_each_named_once(printed) -> None:
    records = [refused(c, d) for c in ("t/a", "t/b", "t/c", "t/d") for d in ("cpu", "toy")]
    assert "t/a, t/b, t/c\n" in printed("cost", *records)


def test_the_end_of_a_run_says_what_captures_cost(printed) -> None:
    records = [
        Record(
            f"c{i}", "slow", "cpu", "supported", "compare",
            seconds={"eager": 100.0, "capture": 1.0, "lower": float(i)}, cost={"peak_mib": 3 * i},
        )
        for i in range(5)
    ]  # fmt: skip
    header, row = printed("cost", *records).strip().splitlines()[1:]
    assert header.split()[:3] == ["exporter", "captures", "mean"]
    assert row.split() == ["slow", "5", "3.00", "3.00", "5.00", "12", "c4,", "c3,", "c2"]


def test_what_is_degraded_is_explained_by_its_graphs(printed) -> None:
    record = Record("t/a", "mine", "cpu", "degraded", "compare", cost={"recompilations": 2.0})
    assert "degraded: t/a · mine\n  2 recompilations\n" in printed("causes", record)


def test_results_from_the_cache_are_counted() -> None:
    fresh = Record("t/a", "mine", "cpu", "supported", "compare", verdict="expected")
    counted = counts([fresh, fresh.with_(cached=True), fresh.with_(cached=True)])
    assert counted == "3 expected (2 from cache)"
    assert counts([fresh]) == "1 expected"


def test_new_results_of_any_number_of_cases_are_said_by_cause(printed) -> None:
    error = ErrorInfo("KeyError", "'aten.topk.default'", "k")
    topk = [refused(f"t/c{i:02}", verdict="new", error=error) for i in range(38)]
    said = printed("causes", *topk, refused("t/other", verdict="new"))
    first, second = said.strip().split("\n\n")
    assert first.splitlines() == [
        "✖ refused: t/c00, t/c01, t/c02 and 35 more · mine",
        "  38 x capture: KeyError: 'aten.topk.default'",
    ]
    assert second.startswith("✖ refused: t/other · mine\n  capture: ValueError: no")


def test_what_is_as_expected_is_said_on_a_small_run_only(printed) -> None:
    few = [refused(f"t/c{i}", verdict="expected") for i in range(3)]
    assert "3 x capture: ValueError: no" in printed("causes", *few)
    assert printed("causes", *few, refused("t/d", verdict="expected")) == ""


def test_a_message_is_not_cut_before_its_fix(printed) -> None:
    error = ErrorInfo("UserError", CONSTRAINT, "c", "E0101")
    said = printed("causes", refused("t/a", verdict="new", error=error))
    assert "Suggested fixes:\n      n = 5\n" in said
    assert "_export_root" not in said and "The error above" not in said
    assert "E0101: " in said and "what to do: " in said
    many = "\n".join(f"  - guard {i}" for i in range(30))
    long = ErrorInfo("UserError", f"violated\n{many}\nSuggested fixes:\n  n = 7", "d")
    said = printed("causes", refused("t/a", verdict="new", error=long))
    assert "n = 7" in said and "more lines" in said and "guard 29" not in said
    wide = ErrorInfo("UserError", f"{'x' * 5000} or write n + 1 instead", "e")
    assert "write n + 1 instead" in printed("causes", refused("t/a", verdict="new", error=wide))


def test_every_wrong_has_its_sample_and_the_finding_that_explains_it(printed) -> None:
    published = Finding("range-wider-than-guards", "x.size()[0] is published as 1..64, but "
                        "tracing assumed 2..64")  # fmt: skip
    others = [wrong(f"t/c{i}") for i in range(6)]
    said = printed("causes", wrong("t/range", findings=(published,)), *others)
    assert "≠ wrong: t/range · mine\n  accepts n=1: disagrees: output[0] is 3.0 in eager\n" in said
    assert "  range-wider-than-guards: x.size()[0] is published as 1..64" in said
    assert "≠ wrong: t/c0, t/c1, t/c2 and 3 more · mine\n" in said


def test_long_reports_are_bounded_and_say_where_the_rest_is(printed) -> None:
    records = [
        refused(f"t/c{i:02}", verdict="new", error=ErrorInfo("E", f"no {i}", f"f{i}"))
        for i in range(40)
    ]
    often = refused("t/often", verdict="new", error=ErrorInfo("E", "no 39", "f39"))
    said = printed("causes", *records, often)
    assert said.lstrip().startswith("✖ refused: t/c39, t/often · mine\n  2 x capture: E: no 39")
    rest = "and 25 more causes; exportdb report runs/now.jsonl --format markdown has them all"
    assert rest in said


def unavailable(case: str, **more: object) -> Record:
    error = ErrorInfo("Unavailable", "cuda: torch is built without CUDA", "u")
    return Record(case, "mine", "cuda", "unavailable", "setup", error=error, **more)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (refused("t/a", verdict="new"), "next: exportdb accept --dry-run"),
        (
            refused("t/a", verdict="flaky", repro="exportdb run t/a"),
            "next: exportdb run t/a --repeat-run 10  (",
        ),
        (Record("t/a", "mine", "cpu", "error", "eager", verdict="new"), "next: fix the error"),
        (Record("t/a", "mine", "cpu", "timeout", "capture", verdict="new"), "--timeout"),
        (Record("t/a", "mine", "cpu", "timeout", "capture", verdict="expected"), ""),
        (unavailable("t/a", verdict="regressed", expected="wrong"),
         "next: exportdb doctor  (says why cuda cannot be used here)"),
        (unavailable("t/a", verdict="expected"), "next: exportdb doctor"),
        (Record("t/a", "mine", "meta", "unavailable", "setup", verdict="expected",
                error=ErrorInfo("Unavailable", "needs values")), ""),
    ],
    ids=lambda v: str(getattr(v, "outcome", "")) or None,
)  # fmt: skip
def test_the_next_step_fits_what_happened(printed, record, says) -> None:
    told = [line for line in printed("print", record).splitlines() if line.startswith("next:")]
    assert len(told) == bool(says)
    assert says in "".join(told)
    assert ("accept" in "".join(told)) == ("accept" in says)


def test_the_tail_of_a_log_names_what_is_not_as_expected(printed) -> None:
    records = [refused(f"t/c{i:02}", verdict="expected") for i in range(30)]
    records[3] = wrong("t/worse", verdict="regressed", expected="supported")
    records[5] = refused("t/better", verdict="improved", expected="wrong")
    records[7] = Record(
        "t/fault", "mine", "cpu", "error", "eager", verdict="new",
        error=ErrorInfo("ValueError", "bad inputs", "v"),
    )  # fmt: skip
    said = printed("print", *records).splitlines()
    table = next(n for n, line in enumerate(said) if line.startswith("cost of a capture"))
    block = said.index("not as expected: 3 of 30 results")
    assert table < block and len(said) - block < 10
    assert said[block + 1 : block + 4] == [
        "  error: t/fault · mine · cpu: bad inputs",
        "  regressed: t/worse · mine · cpu: supported was expected, wrong seen",
        "  improved: t/better · mine · cpu: wrong was expected, refused seen",
    ]
    assert said[-1] == (
        "next: exportdb accept t/better --exporter mine --device cpu"
        "  (1 result better than expected)"
    )


def test_one_fault_of_many_cases_is_one_line_and_one_thing_to_fix(printed) -> None:
    message = (
        f"mine.py:Mine cannot be loaded: {'no ' * 40}\nThe above exception was the direct cause"
    )
    fault = ErrorInfo("PluginError", message + " of the following exception:\nmore", "p")
    records = [
        Record(f"t/c{i:02}", "mine", "cpu", "error", "setup", verdict="new", error=fault)
        for i in range(12)
    ]
    said = printed("print", *records)
    tail = said.partition("not as expected: 12 of 12 results\n")[2].splitlines()
    whole = message.partition("\n")[0].rstrip()
    assert tail == [
        f"  error: t/c00, t/c01, t/c02 and 9 more · mine · cpu: {whole}",
        "",
        "next: fix the error shown above, then run again",
    ]
    assert "direct cause" not in said


def test_what_differs_is_proposed_to_be_accepted_only_where_it_is_meant(printed) -> None:
    worse = refused("t/worse", verdict="regressed", expected="supported")
    assert "next: if this is intended: exportdb accept --dry-run" in printed("print", worse)
    new = refused("t/new", verdict="new")
    assert "next: exportdb accept --dry-run" in printed("print", new)


def test_of_no_results_there_is_no_table(printed) -> None:
    assert printed("print").lstrip().startswith("0 results: nothing examined")


def test_the_tail_of_a_log_is_short_and_counts_the_rest(printed) -> None:
    records = [refused(f"t/c{i:02}", verdict="improved", expected="wrong") for i in range(30)]
    said = printed("print", *records)
    tail = said.partition("not as expected: 30 of 30 results\n")[2].splitlines()
    assert [line.split()[1] for line in tail[:20]] == [f"t/c{i:02}" for i in range(20)]
    assert tail[20:] == [
        "  and 10 more",
        "",
        "next: exportdb accept --exporter mine --device cpu  (30 results better than expected)",
    ]
    assert "not as expected" not in printed("print", refused("t/a", verdict="expected"))


def test_what_cannot_be_tried_here_is_no_regression_of_the_exporter(printed) -> None:
    said = printed("causes", *(
        unavailable(c, verdict="regressed", expected=e)
        for c, e in (("t/a", "wrong"), ("t/b", "lossy"))
    ))  # fmt: skip
    assert "regressed" not in said
    assert said.splitlines()[1:] == [
        "– unavailable here: t/a, t/b · mine · cuda",
        "  wrong or lossy was expected, and it cannot be tried here",
        "  2 x setup: Unavailable: cuda: torch is built without CUDA",
    ]
    gone = unavailable("t/a", verdict="regressed", expected="wrong")
    assert counts([gone]) == "1 regressed, 1 of them because it cannot be tried here"


def test_a_program_from_elsewhere_is_not_taken_for_the_case_of_its_name(printed) -> None:
    name = "control_flow/branch_on_value"
    assert "rewrite" in printed("causes", refused(name, verdict="new"))
    assert "rewrite" not in printed("causes", refused(name, verdict="new", suite="mine"))


def test_a_program_that_is_at_fault_itself_is_said_to_be(printed) -> None:
    said = printed("causes", wrong("custom_operators/fake_kernel_fixed_size"))
    assert "at fault is the program, not the exporter: the fake kernel returns" in said
    assert "at fault" not in printed("causes", wrong("control_flow/branch_on_value"))


def test_an_unfilled_case_is_said_once_with_its_lines(exportdb, folder: Path) -> None:
    (folder / "model.py").write_text(
        "import torch\n\n\nclass Scale(torch.nn.Module):\n    def __init__(self, by):\n"
        "        super().__init__()\n        self.by = by\n\n    def forward(self, x):\n"
        "        return x * self.by\n"
    )
    made = exportdb("new", "todo/scale", "--from", "model.py:Scale", "--cases", "unfilled")
    assert made.returncode == 0, made.stderr
    path = folder / "unfilled/todo/scale.py"
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "a sample" in text)
    done = exportdb("run", "todo/scale", "--cases", "unfilled", "--exporter", "export,make-fx")
    assert done.returncode == 2
    said = f"inputs() still has its TODO, line {line} of unfilled/todo/scale.py"
    assert done.stdout.count(said) == 1
    assert "make_model() still has its TODO" in done.stdout
    assert "NotImplementedError" not in done.stdout and "repro" not in done.stdout
    assert "next: fill in unfilled/todo/scale.py, then run again\n" in done.stdout
    assert "accept" not in done.stdout


UNFILLED = ("raise NotImplementedError('TODO')", "# FIXME\n\n    raise NotImplementedError()",
            "x = 1\n    raise NotImplementedError", "pass")  # fmt: skip


def test_cases_left_open_in_any_form_are_each_said_once(exportdb, folder: Path) -> None:
    tree = folder / "forms"
    (tree / "form").mkdir(parents=True)
    names = [f"form/{word}" for word in ("first", "second", "third", "fourth")]
    for name, body in zip(names, UNFILLED, strict=True):
        (tree / f"{name}.py").write_text(
            f'"""\ntitle: {name}\n"""\n\nimport torch\n\n\nclass Model(torch.nn.Module):\n'
            f"    def forward(self, x):\n        return x * 2\n\n\ndef inputs():\n    {body}\n"
        )
    done = exportdb("run", "form", "--cases", "forms", "--exporter", "export,make-fx")
    assert done.returncode == 2
    for name, line, says in zip(
        names, (14, 14, 15, 14), ("still has its TODO",) * 2 + ("is still to be filled in",) * 2,
        strict=True,
    ):  # fmt: skip
        assert done.stdout.count(f"inputs() {says}, line {line} of forms/{name}.py") == 1
    assert done.stdout.count("inputs()") == 4
    assert done.stdout.count("next: ") == 1 and "next: fill in forms/form/" in done.stdout
    assert "NotImplementedError" not in done.stdout and "NoneType" not in done.stdout
    linted = exportdb("lint", "form", "--cases", "forms").stdout
    assert linted.count("L039 inputs() is still to be filled in") == 4
    assert "L050" not in linted and "L051" not in linted


def test_a_refusal_has_the_users_line_its_remedy_and_the_best_rewrite(exportdb) -> None:
    done = exportdb("run", "control_flow/branch_on_value", "--exporter", "export,make-fx")
    assert "✖ refused: control_flow/branch_on_value · export, make-fx\n" in done.stdout
    assert re.search(r"your line: \S+branch_on_value.py:\d+\n      if x.sum\(\) > 0:", done.stdout)
    assert "E0001: " in done.stdout
    assert "what to do: Keep both branches with torch.cond" in done.stdout
    assert re.search(
        r"rewrite: exportdb show control_flow/\w+_on_value, which export supports", done.stdout
    )
    again = exportdb("report")
    assert (again.returncode, again.stdout) == (0, done.stdout)


RAISES_TOPK = """
class Mine:
    name = "mine"
    extends = "export"

    def capture(self, program):
        import torch
        exported = torch.export.export(
            program.module, program.args, dynamic_shapes=program.dynamic_shapes
        )
        if any("topk" in str(node.target) for node in exported.graph.nodes):
            raise NotImplementedError("no kernel")
        return exported
"""


def test_a_rewrite_is_called_supported_only_by_whom_it_was_measured(exportdb, tmp_path) -> None:
    (tmp_path / "mine.py").write_text(RAISES_TOPK)
    by = ("--exporter", f"{tmp_path / 'mine.py'}:Mine")
    alone = exportdb("run", "top_k/int_argument", *by).stdout
    assert re.search(r"rewrite: exportdb show \S+, which export supports", alone)
    both = exportdb("run", "top_k/int_argument", re.findall(r"exportdb show (\S+),", alone)[0], *by)
    assert both.stdout.count("supports") == 0


RAISES = """
class Raises:
    name = "raises"

    def capture(self, program):
        raise {error}
"""


def test_what_changed_is_said_with_its_first_difference_by_the_run_and_again(
    exportdb, folder: Path
) -> None:
    words = ["own", "--cases", "own_cases", "--exporter", "raises.py:Raises"]
    mine = ["--expectations", "raises_expected"]
    (folder / "raises.py").write_text(RAISES.format(error="ValueError('no such kernel')"))
    assert exportdb("run", *words, *mine).returncode == 0
    assert exportdb("accept", "--cases", "own_cases", *mine).returncode == 0
    (folder / "raises.py").write_text(RAISES.format(error="TypeError('no such dtype')"))
    done = exportdb("check", *words, *mine)
    assert done.returncode == 1
    assert "changed: own/add_one, own/double · raises · cpu: refused as expected, " in done.stdout
    assert "  2 x capture: TypeError: no such dtype\n" in done.stdout
    assert "  error type: ValueError -> TypeError\n" in done.stdout
    assert exportdb("report").stdout == done.stdout


def test_a_cause_with_several_messages_says_how_many(printed) -> None:
    said = printed("causes", *(
        refused(f"t/{n}", verdict="new", error=ErrorInfo("E", f"u{n} >= 1", str(n), "E0006"))
        for n in range(4)
    ))  # fmt: skip
    assert "  4 x capture: E: u0 >= 1\n    and 3 other messages of the same kind\n" in said


def test_an_environment_that_failed_is_said_once(printed) -> None:
    error = ErrorInfo("NotRun", "the environment of mine cannot be made; next: exportdb env", "n")
    records = [Record(f"t/{n}", "mine", "cpu", "error", "setup", error=error) for n in range(5)]
    assert printed("causes", *records).splitlines() == [
        "",
        "the environment of mine cannot be made; next: exportdb env",
        "  5 results missing because of it",
    ]


# --- what it says again ------------------------------------------------------------------------


def test_a_report_imports_no_torch(folder: Path, file_of) -> None:
    name = file_of("light.jsonl", refused("t/a", verdict="new"))
    for words in (["--help"], [name], [name, "--format", "markdown"]):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "exportdb", "report", *words],
            cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        assert "packaging.requirements" not in done.stderr
        imported = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.M))
        assert "click" in imported
        assert not imported & {"torch", "numpy", "sympy", "jsonschema"}


def test_a_run_that_is_not_there_is_one_line_that_names_the_next_command(exportdb, tmp_path):
    done = exportdb("report", EXPORTDB_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "begin with exportdb run" in done.stderr
    done = exportdb("report", "nothing.jsonl", EXPORTDB_HOME=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "neither a record file nor the ID of a run" in done.stderr
    assert "begin with exportdb run" in done.stderr


def test_json_is_what_the_run_prints_with_json(exportdb) -> None:
    words = ["run", "own/double", "--cases", "own_cases", "--exporter", "mine.py:Mine", "--json"]
    done = exportdb(*words, "--expectations", "none_yet")
    again = exportdb("report", "--format", "json")
    assert again.stdout == done.stdout
    assert '"case":"own/double"' in again.stdout
    assert exportdb("report", "--json").stdout == done.stdout


def test_a_report_goes_to_a_file(exportdb, folder: Path, file_of) -> None:
    name = file_of("to_file.jsonl", refused("t/a", verdict="new"))
    done = exportdb("report", name, "--out", "reports/of a run.txt")
    assert (done.returncode, done.stdout) == (0, "")
    assert "✖ refused: t/a · mine" in (folder / "reports/of a run.txt").read_text("utf-8")


def test_an_unfinished_run_says_so(exportdb, folder: Path) -> None:
    header = Header("half", "2026-01-02T03:04:05+00:00", (HERE,), 7, arguments=("run",))
    record = refused("t/a", verdict="new", run="half", env=HERE.digest)
    (folder / "half.jsonl").write_bytes(header.encode() + record.encode() + b"\n")
    assert "6 results of 7 missing; go on with: exportdb run --resume half" in (
        exportdb("report", "half.jsonl").stderr
    )
    assert "--resume half" in exportdb("report", "half.jsonl", "--format", "markdown").stdout


HOSTILE = ErrorInfo(
    "Value<Error>", "100% ```` </summary> | a,b:c \x00\x1b[31m\ud800 & <b>\nnext", "h"
)


@pytest.fixture
def mixed(file_of) -> str:
    """A checked run of all sorts, with texts that mean something in each form."""
    return file_of(
        "mixed.jsonl",
        refused("own/double", verdict="regressed", expected="supported", error=HOSTILE,
                repro="exportdb run own/double"),
        wrong("own/add_one", verdict="expected", expected="wrong"),
        Record("own/new", "mine", "cpu", "supported", "compare", verdict="new"),
        Record("own/broken", "mine", "cpu", "error", "eager", verdict="new", error=HOSTILE),
        unavailable("own/double", verdict="expected").with_(
            error=ErrorInfo("Unavailable", "cuda: \x00 \x0b none")
        ),
        arguments=("check", "own", "--cases", "own_cases", "--exporter", "mine.py:Mine"),
    )  # fmt: skip


def test_markdown_holds_every_cause_and_no_markup_of_a_record(exportdb, mixed, file_of) -> None:
    text = exportdb("report", mixed, "--format", "markdown").stdout
    assert text.startswith("## exportdb: 5 results: 1 error, 1 regressed, 1 new")
    assert "| `mine` | `cpu` |" in text
    assert "### Not as expected" in text and "### Errors of a case or of exportdb" in text
    outside = re.sub(r"^(`{3,})text\n.*?^\1\n", "", text, flags=re.M | re.S)
    for fence, block in re.findall(r"^(`{3,})text\n(.*?)^\1\n", text, flags=re.M | re.S):
        assert fence not in block
    assert "</summary>" in text and "</summary>" not in outside
    many = [refused(f"t/c{i:02}", verdict="new", error=ErrorInfo("E", f"no {i}", f"f{i}"))
            for i in range(40)]  # fmt: skip
    every = exportdb("report", file_of("many.jsonl", *many), "--format", "markdown").stdout
    assert all(f"capture: E: no {i}\n" in every for i in range(40))


def test_github_gets_annotations_on_the_case_and_the_adapter(exportdb, mixed) -> None:
    lines = exportdb("report", mixed, "--format", "github").stdout.splitlines()
    assert all(re.match(r"::(error|warning|notice) [^:]*::", line) for line in lines)
    about = [line for line in lines if "regressed%3A" in line]
    assert [line.partition(",title=")[0] for line in about] == [
        "::error file=own_cases/own/double.py,line=6",
        "::error file=mine.py,line=2",
    ]
    assert "100%25 ```` </summary> | a,b:c" in about[0]
    assert "%0A  next" in about[0] and "supported was expected%2C refused seen" in about[0]


def test_junit_counts_what_a_check_fails_on(exportdb, mixed, folder: Path) -> None:
    assert exportdb("report", mixed, "--format", "junit", "--out", "junit.xml").returncode == 0
    root = ET.parse(folder / "junit.xml").getroot()
    suites = {s.get("name"): s for s in root.iter("testsuite")}
    assert set(suites) == {"mine · cpu", "mine · cuda"}
    cpu = suites["mine · cpu"]
    assert [cpu.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["4", "2", "1", "0"]
    assert suites["mine · cuda"].get("skipped") == "1"
    found = {t.get("name"): [c.tag for c in t] for t in cpu.iter("testcase")}
    assert found == {
        "own/double": ["failure"], "own/add_one": [], "own/new": ["failure"],
        "own/broken": ["error"],
    }  # fmt: skip
    failure = cpu.find("testcase[@name='own/double']/failure")
    assert failure.get("type") == "regressed"
    assert "Value<Error>: 100% ```` </summary>" in failure.text
    for suite in suites.values():
        assert len(suite.findall("testcase")) == int(suite.get("tests"))


def test_after_a_run_without_gate_a_new_result_is_no_failure(exportdb, file_of) -> None:
    new = Record("own/new", "mine", "cpu", "supported", "compare", verdict="new")
    name = file_of("new.jsonl", new, arguments=("run",))
    assert "<failure" not in exportdb("report", name, "--format", "junit").stdout


def test_sarif_is_valid_and_names_rules_places_and_fingerprints(exportdb, mixed, file_of) -> None:
    Draft202012Validator.check_schema(SARIF)
    document = json.loads(exportdb("report", mixed, "--format", "sarif").stdout)
    Draft202012Validator(SARIF).validate(document)
    (run,) = document["runs"]
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in run["results"])
    (regressed,) = (r for r in run["results"] if r["properties"]["verdict"] == "regressed")
    assert (regressed["ruleId"], regressed["level"]) == ("refused", "error")
    where = [p["physicalLocation"]["artifactLocation"]["uri"] for p in regressed["locations"]]
    assert where == ["own_cases/own/double.py", "mine.py"]
    again = json.loads(exportdb("report", mixed, "--format", "sarif").stdout)
    assert [r["partialFingerprints"] for r in again["runs"][0]["results"]] == [
        r["partialFingerprints"] for r in run["results"]
    ]
    error = ErrorInfo("UserError", CONSTRAINT, "c", "E0101")
    known = file_of("known.jsonl", refused("t/a", verdict="new", error=error))
    (run,) = json.loads(exportdb("report", known, "--format", "sarif").stdout)["runs"]
    assert run["results"][0]["ruleId"] == "E0101" and run["results"][0]["level"] == "warning"
    assert run["tool"]["driver"]["rules"][0]["help"]["text"]


def test_an_error_of_the_program_is_neither_the_exporters_nor_the_adapters(exportdb, file_of):
    missing = ErrorInfo("FileNotFoundError", "No such file or directory: 'a.txt'", "f", "E0716")
    record = Record("own/broken", "mine", "cpu", "error", "eager", verdict="new", error=missing)
    asked = ("run", "own", "--cases", "own_cases", "--exporter", "mine.py:Mine")
    name = file_of("broken.jsonl", record, arguments=asked)
    (run,) = json.loads(exportdb("report", name, "--format", "sarif").stdout)["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["error"]  # E0716 is about ONNX's files
    assert "mine.py" not in exportdb("report", name, "--format", "github").stdout.split(":", 3)[2]
    in_capture = record.with_(phase="capture")
    name = file_of("caught.jsonl", in_capture, arguments=asked)
    assert "file=mine.py,line=2" in exportdb("report", name, "--format", "github").stdout


def test_a_report_knows_what_an_adapter_extends(exportdb, file_of, folder: Path):
    """So what is expected of the exporter that it extends is known of it, as in the run itself."""
    (folder / "ext.py").write_text(
        "class Ext:\n    name, extends = 'ext', 'export'\n\n    def capture(self, program): ...\n"
    )
    case = "control_flow/branch_on_value"
    found = refused(case, exporter="ext", verdict="new")
    name = file_of("ext.jsonl", found, arguments=("run", case, "--exporter", "ext.py:Ext"))
    assert ", which export supports" in exportdb("report", name).stdout
    (folder / "ext.py").write_text("raise RuntimeError('not on this machine')\n")
    told = exportdb("report", name)
    assert (told.returncode, ", which export supports" in told.stdout) == (0, False)
    assert "rewrite to try: " in told.stdout


def test_a_badge_is_green_only_where_something_is_supported() -> None:
    def color(*records: Record) -> str:
        stored = Stored(records)
        report = Report(stored, records, Background(stored.header, Expectations({})))
        return json.loads(badge.endpoint(report))["color"]

    none = refused("t/a", verdict="expected")
    some = Record("t/b", "mine", "cpu", "supported", "compare", verdict="expected")
    assert color(none) == color() != color(none, some)
