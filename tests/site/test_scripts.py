"""The scripts of the explorer that know no page, run by a JavaScript engine without a browser.

They read the real index: what a paste finds here is what it finds on the published site.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from py_mini_racer import MiniRacer

from exportdb.cases.catalogue import one_line
from exportdb.explain import match, matcher
from exportdb.explain.reading import read
from exportdb.records.expectation import Point
from exportdb.records.fingerprint import steady
from exportdb.site import extension, index
from exportdb.site.model import CaseView, Cell, Site

MESSAGES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "catalogue" / "messages.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
FROZEN = Path(__file__).parents[1] / "explain" / "frozen.txt"

#: As a user would paste it: colours, the user's own code, a chain of errors, addresses.
TRACEBACK = """\
2026-05-01 12:00:00 starting
\x1b[31mTraceback (most recent call last):\x1b[0m
  File "/home/me/train.py", line 44, in <module>
    exported = torch.export.export(model, args)
  File "/usr/lib/python3.11/site-packages/torch/export/__init__.py", line 311, in export
    raise e
torch.package.\x1b[1m{type}\x1b[0m: {message}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/me/train.py", line 50, in <module>
    raise SystemError("could not export <Model object at 0x7f03a1b2>") from e
SystemError: could not export <Model object at 0x7f03a1b2>
"""

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def site(whole: Site) -> Site:
    return whole


def asker(site: Site) -> Ask:
    """A function that evaluates an expression of the scripts, given values as JSON."""
    engine = MiniRacer()
    engine.eval("var window = {};" + "".join(index.scripts(site).values()))
    for name in ("matching.js", "catalogue.js", "explaining.js", "query.js", "compare.js"):
        engine.eval((extension.STATIC / name).read_text(encoding="utf-8"))
    engine.eval(Path(__file__).with_name("engine.js").read_text(encoding="utf-8"))

    def ask(expression: str, *values: Any) -> Any:
        arguments = ", ".join(json.dumps(v) for v in values)
        return json.loads(str(engine.eval(f"JSON.stringify((({expression}))({arguments}))")))

    return ask


@pytest.fixture(scope="module")
def ask(site: Site) -> Iterator[Ask]:
    return asker(site)


MATCH = """(type, message) => {
  const at = xdbCatalogue.match(index, type, message);
  return at < 0 ? null : index.errors[at][0];
}"""
RANK = """(text) => {
  const matcher = xdbMatching.prepare(index);
  return matcher.rank(matcher.read(text)).map(([at, ...more]) => [index.errors[at][0], ...more]);
}"""


def ranked(text: str) -> list[list[Any]]:
    """What Python answers, in the form of RANK."""
    return [[*fit] for fit in matcher().fits(read(text))]


# --- the same answers as Python


@pytest.mark.parametrize("said", MESSAGES, ids=lambda m: f"{m['entry']}-{'-'.join(m['torch'])}")
def test_a_message_finds_the_entry_that_python_finds(ask: Ask, said: dict[str, str]) -> None:
    assert ask(MATCH, said["type"], said["message"]) == said["entry"]
    for other in ("", "RuntimeError", "builtins.ValueError", "torch._dynamo.exc.Unsupported"):
        assert ask(MATCH, other, said["message"]) == match(other, said["message"])


def test_every_error_of_the_database_has_the_entry_that_python_finds(ask: Ask, site: Site) -> None:
    errors = sorted({(c.error.type, c.error.message) for c in site.cells if c.error})
    found = ask(f"(errors) => errors.map(([type, message]) => ({MATCH})(type, message))", errors)
    assert found == [match(*error) for error in errors]
    assert len(errors) > 100 and len(set(found)) > 20


def test_every_answer_to_a_real_text_is_that_of_python(ask: Ask) -> None:
    texts = FROZEN.read_text(encoding="utf-8").split("\n=== ")[1:]
    texts += [TRACEBACK.format(**said) for said in MESSAGES]
    assert len(texts) > 200
    found = ask(f"(texts) => texts.map({RANK})", texts)
    assert found == [ranked(text) for text in texts]


@pytest.mark.parametrize("text", [
    "", "\x1b[31mRuntimeError\x1b[0m: Guard failed: x", "😀" * 70 + "\n" + "😀" * 70 + "\nx",
    "E   Could not guard on data-dependent expression u0 == 1", "[rank0]: \r\n" * 3 + "Guard",
    "W0612 12:00:00.000000 1234 torch/a.py:1] [0/0] Could not guard on data-dependent expression",
    "Could not guard on data-\ndependent\texpression\x00 Eq(s77, 1) \u2028 İ K",
    "guard failed " * 40_000, "\n".join(f"line {i} could not guard on" for i in range(5000)),
    "a.py:1: UserWarning: The tensor attribute self.y was assigned during export\n"
    "Traceback (most recent call last):\n  File \"a.py\", line 2\nRuntimeError: Guard failed: x",
    "TracerWarning: Iterating over a tensor might cause the trace to be incorrect\n"
    "Error in torch.jit.trace: Tracer cannot infer type of {'a': 1}",
    "torch._dynamo.exc.UserError: Cannot export model which references tensors that are neither "
    "buffers/parameters/constants nor are direct inputs\nE   \nE   L['y'], a free variable",
    "\0".join("onnxruntime: Non-zero status code returned while running"),
    "[1/2] While it ran: Could not guard on data-dep",
    "Could not guard on data-dependent expression\n" + "step 7 took 9 s\n" * 99_000 + "\n" * 99
    + "RuntimeError: Unmatched number of outputs from cond() branches.",
    "Could not \x9b1mguard\x9b0m on \x9d0;title\x9cdata-dependent\u202eexpression\u2069\x85Eq(u0)",
    "AssertionError: Guard failed on the same frame it was created. This is a bug - please create "
    "an issue.\nGuard fail reason: 0/0: L['n'] == 5",
    "torch.export.unflatten\n" + "\n" * 50 + "TypeError: \x80 no",
    "RuntimeError: isIntList() INTERNAL ASSERT FAILED at \"/p/ivalue_inl.h\":1981, please report a "
    "bug to PyTorch. Expected IntList but got GenericList",
])  # fmt: skip
def test_odd_texts_are_read_as_in_python(ask: Ask, text: str) -> None:
    assert ask(RANK, text) == ranked(text)


@pytest.mark.parametrize("text", [
    "a\x1cb\x85c\u2003d\ufeffe", " \t two\r\n  lines ", "", "\u3000",
])  # fmt: skip
def test_blanks_are_those_of_python(ask: Ask, text: str) -> None:
    assert ask("(text) => xdbCatalogue.oneLine(text)", text) == one_line(text)


def test_what_changes_from_run_to_run_is_taken_out_as_in_python(ask: Ask, site: Site) -> None:
    texts = [c.error.message for c in site.cells if c.error] + [m["message"] for m in MESSAGES]
    texts += ["<f at 0x7f00> in /home/a/b.py:17, line 4: s77 + u12 > add_4 https://x.org/?a=b"]
    steadied = ask("(texts) => texts.map(xdbCatalogue.steadier(index))", texts)
    assert steadied == [steady(text) for text in texts]
    assert steadied[-1] != texts[-1]


# --- pasted errors


FIRST = """(text) => {
  const line = xdbCatalogue.headline(index, text).slice(0, 1000);
  const [at] = xdbQuery.run(db, {...xdbQuery.nothing(), q: line}).found;
  return at === undefined ? null : db.cases[at].id;
}"""


@pytest.mark.parametrize("said", MESSAGES, ids=lambda m: f"{m['entry']}-{'-'.join(m['torch'])}")
def test_a_pasted_traceback_finds_a_case_that_explains_it(
    ask: Ask, site: Site, said: dict[str, str]
) -> None:
    if not site.by_entry.get(said["entry"]):
        pytest.skip("no case explains this entry: it has programs of its own")
    first = site.cases[ask(FIRST, TRACEBACK.format(**said))]
    # Or one that raised this very text, which may be said of several entries.
    texts = {one_line(c.error.message) for c in first.cells if c.error}
    line = one_line(said["message"])
    same = any(steady(line).startswith(steady(text)) for text in texts)
    assert said["entry"] in first.case.meta.errors or same


def test_every_error_of_the_database_finds_a_case_that_raises_or_explains_it(
    ask: Ask, site: Site
) -> None:
    raised: dict[tuple[str, str], set[str]] = {}
    for view in site.cases.values():
        for cell in view.cells:
            if cell.error is not None and cell.error.message.strip():
                raised.setdefault((cell.error.type, cell.error.message), set()).add(view.id)
    assert len(raised) > 100
    for (error_type, message), cases in raised.items():
        first = ask(FIRST, TRACEBACK.format(type=error_type, message=message))
        entry = match(error_type, message)
        explaining = {v.id for v in site.by_entry.get(entry or "", ())}
        assert first in cases | explaining, (error_type, message)


def test_symbols_and_addresses_may_differ(ask: Ask, site: Site) -> None:
    text = "GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u41, 1)"
    first = site.cases[ask(FIRST, text)]
    assert "E0001" in first.case.meta.errors
    assert any(c.error and "Eq(u0, 1)" in c.error.message for c in first.cells)


@pytest.mark.parametrize("wrapped", [
    "E   {}\nE   more advice\n\nmodel.py:3: {}",
    "[rank0]: Traceback (most recent call last):\n[rank0]:   File 'x'\n[rank0]: {}",
    "2026-01-02T03:04:05.678Z {}",
    "  | Traceback (most recent call last):\n  |   f()\n  | {}\n  +-----------------",
    "```\n{}\n```",
    "the job said: `{}`\nand then it ended",
    "{}",
])  # fmt: skip
def test_an_error_is_found_in_what_surrounds_it(ask: Ask, wrapped: str) -> None:
    said = MESSAGES[0]
    text = wrapped.replace("{}", f"torch._dynamo.exc.{said['type']}: {said['message']}")
    found = ask(
        "(text) => xdbCatalogue.explain(index, text).map((f) => index.errors[f.entry][0])", text
    )
    assert found[0] == said["entry"]


def test_an_error_is_read_with_all_its_lines_and_no_more(ask: Ask) -> None:
    text = TRACEBACK.format(type="Unsupported", message="first\n  second: a\n\nthird")
    assert ask("(text) => xdbCatalogue.read(text, xdbCatalogue.types(index))", text) == [
        {"type": "SystemError", "message": "could not export <Model object at 0x7f03a1b2>"},
        {"type": "Unsupported", "message": "first\n  second: a\n\nthird"},
    ]


def test_of_several_errors_the_one_that_is_known_is_searched_for(ask: Ask) -> None:
    text = TRACEBACK.format(**MESSAGES[0])
    line = ask("(text) => xdbCatalogue.headline(index, text)", text)
    assert line.startswith(f"{MESSAGES[0]['type']}: Could not guard")
    unknown = TRACEBACK.format(type="RuntimeError", message="the moon is in the wrong phase")
    assert ask("(text) => xdbCatalogue.headline(index, text)", unknown).startswith("SystemError: ")


def test_nothing_is_explained_that_the_catalogue_does_not_know(ask: Ask) -> None:
    text = TRACEBACK.format(type="RuntimeError", message="the moon is in the wrong phase")
    assert ask("(text) => xdbCatalogue.explain(index, text)", text) == []
    assert ask("(text) => xdbCatalogue.explain(index, text)", "") == []


def test_a_huge_paste_is_read_in_time(ask: Ask) -> None:
    line = "RuntimeError: Guard failed: x\n"
    started = time.process_time()  # the scripts run in this process
    ask("""(text) => {
      xdbCatalogue.headline(index, text);
      xdbQuery.run(db, {...xdbQuery.nothing(), q: text});
      return 1;
    }""", line * 50_000)  # fmt: skip
    assert time.process_time() - started < 3


# --- finding and choosing


def test_everything_is_found_without_a_question(ask: Ask, site: Site) -> None:
    assert sorted(ask("found", {})) == sorted(site.cases)


def test_what_teaches_most_stands_first_and_topics_take_turns(ask: Ask, site: Site) -> None:
    first = [site.cases[i] for i in ask("found", {})[:10]]
    assert all(v.has_rewrite for v in first[:5])
    assert len({v.case.topic for v in first}) == 10
    shown = Point("2.13", "cpu")  # where most exporters were measured: what the list shows
    assert "supported" not in [v.by_key["export", shown].outcome for v in first]


def test_conditions_may_name_exporters(ask: Ask, site: Site) -> None:
    shown = Point("2.13", "cpu")  # where both were measured there, it decides alone
    places = {c.point for v in site.cases.values() for c in v.cells}

    def both(view: CaseView, place: Point) -> list[Cell]:
        found = [view.by_key.get((e, place)) for e in ("export", "export-strict")]
        return [cell for cell in found if cell is not None]

    expected = {
        v.id for v in site.cases.values()
        for p in ([shown] if len(both(v, shown)) == 2 else places)
        if [c.outcome == "wrong" for c in both(v, p)] == [True, False]
    }  # fmt: skip
    assert expected
    assert set(ask("found", {"q": "export:wrong export-strict:!wrong"})) == expected
    narrowed = ask("found", {"q": "cond export:wrong export-strict:!wrong"})
    assert set(narrowed) <= expected
    assert ask("found", {"q": "export:wrong,refused export:!refused"}) == ask(
        "found", {"q": "export:wrong"}
    )


def test_what_changed_between_two_versions_is_found(ask: Ask, site: Site) -> None:
    def changed(exporters: tuple[str, ...]) -> set[str]:
        ends = [(Point("2.11", d), Point("2.15", d)) for d in site.devices]
        return {
            v.id for v in site.cases.values() for e in exporters for old, new in ends
            if (a := v.by_key.get((e, old))) and (b := v.by_key.get((e, new)))
            and a.outcome != b.outcome
        }  # fmt: skip

    assert set(ask("found", {"q": "export:changed:2.11..2.15"})) == changed(("export",)) != set()
    assert set(ask("found", {"q": "changed:2.11..2.15"})) == changed(site.exporters)
    chosen = {"q": "changed:2.11..2.15", "exporter": ["export"]}
    assert set(ask("found", chosen)) == changed(("export",))


@pytest.mark.parametrize(("q", "among"), [
    ("cond with closures", "closure"), ("tensor broadcsting", "broadcast"),
    ("scans over time", "scan"), ("kv cache", "cache"), ("moe", "expert"),
    ("foobar cache", "cache"),
])  # fmt: skip
def test_words_are_forgiven(ask: Ask, site: Site, q: str, among: str) -> None:
    found = ask("found", {"q": q})
    assert found
    assert among in f"{found[0]} {site.cases[found[0]].case.meta.title}".lower()


def test_a_short_word_is_not_found_within_others(ask: Ask, site: Site) -> None:
    found = ask("found", {"q": "cond"})
    for case_id in found:
        view = site.cases[case_id]
        said = [f"{c.error.type}: {c.error.message}" for c in view.cells if c.error]
        graphs = [c.record.graph or "" for c in view.cells]
        text = "\n".join([view.id, *view.case.meta.tags, view.case.source, *said, *graphs])
        assert re.search(r"(?<![a-z0-9])cond", text.lower()), case_id
    within = [v.id for v in site.cases.values() if "second" in v.case.meta.title.lower()]
    assert found and set(within) - set(found)


def test_of_cases_with_all_words_those_named_so_come_first(ask: Ask, site: Site) -> None:
    first = site.cases[ask("found", {"q": "inside loop while"})[0]]
    assert "while" in f"{first.id} {first.case.meta.title}".lower()


def test_a_number_of_an_entry_finds_who_explains_it_first(ask: Ask, site: Site) -> None:
    assert ask("(q) => xdbCatalogue.named(index, q)", "E1") == -1
    found = [site.cases[i] for i in ask("found", {"q": " e0101 "})]
    explain = ["E0101" in v.case.meta.errors for v in found]
    assert explain[0] and explain == sorted(explain, reverse=True)
    for view in found:
        met = {c.error.catalogue for c in view.cells if c.error}
        assert "E0101" in met | set(view.case.meta.errors)


def test_conditions_may_be_of_any_or_all_exporters(ask: Ask, site: Site) -> None:
    shown = Point("2.13", "cpu")
    there = {v.id: [c.outcome for c in v.cells if c.point == shown] for v in site.cases.values()}
    measured = {i: outcomes for i, outcomes in there.items() if outcomes}
    found = set(ask("found", {"q": "any:crashed"})) & set(measured)
    assert found == {i for i, outcomes in measured.items() if "crashed" in outcomes} != set()
    found = set(ask("found", {"q": "all:!supported"})) & set(measured)
    assert found == {i for i, outcomes in measured.items() if "supported" not in outcomes} != set()


@pytest.mark.parametrize(("q", "instead"), [
    ("strict:wrong", "export-strict:wrong"), ("cond exprot:!refused", "export:!refused"),
    ("export:wrnog", "export:wrong"), ("export:wrong", None), ("RuntimeError: refused", None),
    ("https://example.org/a:b", None),
])  # fmt: skip
def test_what_was_meant_as_a_condition_is_told(ask: Ask, q: str, instead: str | None) -> None:
    told = ask("(q) => xdbQuery.misspelt(db, q)", q)
    assert [instead in one["instead"] for one in told] == ([True] if instead else [])


def test_exporters_that_conditions_name_are_told(ask: Ask, site: Site) -> None:
    found = ask("(q) => xdbQuery.named(db, q)", "onnx:wrong any:crashed cond jit-trace:!wrong")
    assert [site.exporters[at] for at in found] == ["onnx", "jit-trace"]


def test_a_torch_that_an_exporter_was_never_measured_with_is_told(ask: Ask, site: Site) -> None:
    measured = {p.torch for e, p in site.columns if e == "onnx"}
    never = next(t for t in site.torches if t not in measured)
    q = f"onnx:changed:{never}..{min(measured)} export:changed:2.11..2.15 changed:2.11..2.15"
    assert ask("(q) => xdbQuery.unmeasured(db, q)", q) == [{"exporter": "onnx", "torch": never}]


@pytest.mark.parametrize(
    "q", ["torch.cond", "index_put_", "TORCH.COND", "while_loop", "aten.index_put"]
)
def test_text_is_found_exactly_dots_and_underscores_included(ask: Ask, site: Site, q: str) -> None:
    def texts(case_id: str) -> str:
        view = site.cases[case_id]
        said = [f"{c.error.type}: {c.error.message}" for c in view.cells if c.error]
        graphs = [c.record.graph or "" for c in view.cells]
        source = view.case.source
        return "\n".join([view.id, *view.case.meta.tags, source, *said, *graphs]).lower()

    found = ask("found", {"q": q})
    assert found
    for case_id in found:
        assert all(word in texts(case_id) for word in q.lower().split())


def test_a_title_comes_before_a_mention(ask: Ask, site: Site) -> None:
    title = site.cases["control_flow/branch_on_value"].case.meta.title
    assert ask("found", {"q": title})[0] == "control_flow/branch_on_value"
    assert ask("found", {"q": "control_flow/branch_on_value"})[0] == "control_flow/branch_on_value"


def test_words_may_stand_apart(ask: Ask) -> None:
    assert ask("found", {"q": "gradients enabled if"})[0] == "autograd/branch_on_grad_mode"


@pytest.mark.parametrize(("q", "meant"), [
    ("if statement on tensor value", "control_flow/branch_on_value"),
    ("tensor.item() in slice", "data_dependent/item_slice"),
    ("save tensor to self", "mutation/tensor_attribute_assigned"),
    ("mixed precision autocast", "python/autocast_block"),
    ("lstm hidden state", "modules/lstm_cell_in_loop"),
    ("in place update of buffer", "mutation/buffer_in_place"),
    ("loop until eos", "decoding/greedy_until_end_token"),
])  # fmt: skip
def test_where_few_cases_have_all_words_the_nearest_are_found_too(
    ask: Ask, q: str, meant: str
) -> None:
    assert meant in ask("found", {"q": q})[:5]


def test_conditions_hold_in_the_same_cell(ask: Ask, site: Site) -> None:
    torch = site.torches[-1]
    asked = {"exporter": ["export"], "device": ["cpu"], "torch": [torch], "outcome": ["wrong"]}
    place = Point(torch, "cpu")
    expected = [v.id for v in site.cases.values()
                if (c := v.by_key.get(("export", place))) and c.outcome == "wrong"]  # fmt: skip
    assert sorted(ask("found", asked)) == sorted(expected)
    apart = [v for v in site.cases.values() if any(c.outcome == "wrong" for c in v.cells)]
    assert 0 < len(expected) < len(apart)


def test_choices_of_a_group_add_up_but_tags_and_flags_narrow(ask: Ask, site: Site) -> None:
    topics = ["control_flow", "mutation"]
    assert set(ask("found", {"topic": topics})) == {
        v.id for v in site.cases.values() if v.case.topic in topics
    }
    tags = ["torch.item", "python.control-flow"]
    both = {v.id for v in site.cases.values() if set(tags) <= set(v.case.meta.tags)}
    assert both and set(ask("found", {"tag": tags})) == both
    flags = {"is": ["has_rewrite", "silently_wrong"]}
    flagged = {v.id for v in site.cases.values() if v.has_rewrite and v.silently_wrong}
    assert flagged and set(ask("found", flags)) == flagged


@pytest.mark.parametrize("asked", [
    {}, {"q": "guard"}, {"exporter": ["export"]}, {"outcome": ["wrong", "refused"], "q": "size"},
    {"exporter": ["make-fx"], "device": ["meta"], "tag": ["torch.dynamic-shape"]},
    {"topic": ["control_flow"], "is": ["differs"], "torch": ["2.15"]},
])  # fmt: skip
def test_a_count_is_what_choosing_finds(ask: Ask, asked: dict[str, Any]) -> None:
    counts = ask("counts", asked)
    assert set(counts) == {"outcome", "exporter", "device", "torch", "topic", "tag", "is"}
    for group, numbers in counts.items():
        for value, count in numbers.items():
            with_it = [*asked.get(group, ()), value] if group in ("tag", "is") else [value]
            assert len(ask("found", {**asked, group: with_it})) == count, (group, value)


def test_an_address_is_read_as_it_was_written(ask: Ask) -> None:
    asked = {"q": "a & b=c #?d", "exporter": ["export", "make-fx"], "tag": ["torch.cond"],
             "torch": ["2.15"], "sort": "-exporter:export"}  # fmt: skip
    again = """(words) => {
      const state = stateOf(words);
      return [state, xdbQuery.parse(xdbQuery.format(state, db), db).state];
    }"""
    first, second = ask(again, asked)
    assert first == second
    assert first["q"] == asked["q"] and len(first["exporter"]) == 2
    assert ask("() => xdbQuery.format(xdbQuery.nothing(), db)") == ""


def test_what_the_database_does_not_have_is_told(ask: Ask) -> None:
    read = ask("(text) => xdbQuery.parse(text, db)", "#?exporter=exprot&colour=red&torch=2.15")
    assert read["unknown"] == ["exporter=exprot", "colour=red"]
    assert len(read["state"]["torch"]) == 1


#: The outcome and the torch version of the cell that the explorer shows of a case.
SHOWN = """(words, id, name) => {
  const state = stateOf(words);
  const exporter = db.values.exporter.indexOf(name);
  const cell = xdbQuery.shown(db, state, db.cases.find((one) => one.id === id), exporter);
  return cell && [db.values.outcome[cell.outcome], db.places[cell.place].torch];
}"""


def test_sorting_puts_the_best_or_the_worst_first(ask: Ask, site: Site) -> None:
    order = list(ask("() => db.values.outcome"))

    def ranks(sort: str) -> list[int]:
        cells = [ask(SHOWN, {}, c, "jit-trace") for c in ask("found", {"sort": sort})]
        assert all(c is None for c in cells[len([c for c in cells if c]) :])
        return [order.index(c[0]) for c in cells if c]

    assert ranks("exporter:jit-trace") == sorted(ranks("exporter:jit-trace"))
    assert ranks("-exporter:jit-trace") == sorted(ranks("exporter:jit-trace"), reverse=True)
    titles = [site.cases[c].case.meta.title.lower() for c in ask("found", {"sort": "title"})]
    assert titles[0] < titles[-1] and len(titles) == len(site.cases)


def test_the_cell_that_was_asked_for_is_shown(ask: Ask, site: Site) -> None:
    assert len(site.torches) > 1
    changed = next(
        (v, *row[-2:]) for v in site.cases.values() for row in v.by_version
        if row[0].point.device == "cpu" and len({c.outcome for c in row[-2:]}) > 1
    )  # fmt: skip
    view, old, new = changed
    asked = {"torch": [new.point.torch]}
    assert ask(SHOWN, asked, view.id, old.exporter) == [new.outcome, new.point.torch]
    assert ask(SHOWN, {"outcome": [old.outcome]}, view.id, old.exporter)[0] == old.outcome
    assert ask(SHOWN, {"torch": [old.point.torch]}, view.id, old.exporter) == [
        old.outcome,
        old.point.torch,
    ]
