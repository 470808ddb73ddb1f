"""Which silent causes the database knows, and that it hides none that it does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exportdb import plugins, resolve
from exportdb.cases.case import Case
from exportdb.hunt.buckets import Bucket
from exportdb.hunt.known import Known
from exportdb.records import expectation_files
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from tests.hunt.reduced import REDUCED

#: Cases of the database that hunts found, and on which an exporter is silently wrong.
HUNTED = (
    "autograd/jacobian_of_identity", "data_dependent/number_limited_by_infinity",
    "decompositions/embedding_bag_indices_copied",
    "decompositions/embedding_bag_indices_in_a_column",
    "decompositions/interpolate_beside_infinity", "decompositions/margin_loss_of_nan",
    "modules/parameters_out_of_a_vector", "mutation/buffer_put_into_dict",
    "mutation/contiguity_after_transpose_in_place", "mutation/data_of_another_shape",
    "mutation/foreach_on_one_tensor_twice", "mutation/rank_after_unsqueeze_in_place",
    "mutation/size_after_squeeze_in_place", "mutation/windows_changed_in_place",
    "operators/mask_filled_with_true", "python/comparison_asked_whether_true",
    "python/dict_key_with_own_equality", "python/float_written_as_text",
    "python/groups_read_after_all_were_made", "python/larger_of_nan_and_number",
    "python/mask_and_true", "python/membership_in_range_as_factor", "python/number_or_default",
    "python/operators_changed_by_dispatch_mode", "python/range_unpacked_into_arguments",
    "python/set_of_own_class", "python/shape_as_output", "python/shape_is_a_tuple",
    "python/size_divided_by_one", "python/size_read_back_from_text",
    "python/truth_value_asked_for_both_types", "python/truth_value_is_an_int",
    "python/whole_number_squared", "python/yield_from_returns",
    "symbolic_scalars/comparison_of_size_and_one", "symbolic_scalars/int_of_negative_quotient",
    "symbolic_scalars/larger_of_size_and_float", "symbolic_scalars/negative_zero_times_size",
    "symbolic_scalars/quotient_rounded_by_large_constant",
    "symbolic_scalars/remainder_by_infinity", "symbolic_scalars/size_equal_to_complex",
    "symbolic_scalars/size_squared_by_math_pow",
)  # fmt: skip
#: Cases in which a size is written as text, which is the name of its symbol where it is traced.
TEXT_OF_SIZE = frozenset({
    "python/size_read_back_from_text", "symbolic_scalars/digits_of_size",
    "symbolic_scalars/size_in_name",
})  # fmt: skip
#: Of the pairs of such a case and an exporter that is unsound by design, how many another case may
#: hide: there most cases have one cause, that nothing is guarded.
MOST_HIDDEN_BY_DESIGN = 9

EXTENDS = {"export-strict": "export"}
#: What any program does; the rest of it is what tells.
FORWARD = "class Model:\n    def forward(self, x):\n        return {}\n"


def database(programs: dict[str, str], wrong: set[str], stopped: frozenset[str] = frozenset(),
             exporter: str = "export") -> Known:  # fmt: skip
    """What is known of these programs, each the expression that it gives."""
    outcomes = {
        case: {"export": Outcome.REFUSED if case in stopped else Outcome.SUPPORTED}
        for case in programs
    }
    return Known(
        wrong={exporter: wrong}, outcomes=outcomes, extends=EXTENDS,
        programs={case: FORWARD.format(text) for case, text in programs.items()},
    )  # fmt: skip


def why(known: Known, expression: str, exporter: str = "export") -> str:
    return known.cause(exporter, FORWARD.format(expression))


FEW = {
    "frac": "x.frac() + 1", "exp": "x.exp() + 1", "log": "x.log() + 1", "floor": "x.floor() + 1",
    "plus": "x + 1", "minus": "x - 1",
}  # fmt: skip


def test_a_case_that_is_wrong_and_does_the_same_makes_a_cause_known() -> None:
    known = database(FEW, {"frac"})
    assert why(known, "x.frac()") == "frac"
    assert why(known, "x.frac() + 2") == "frac"
    assert why(known, "x.erf()") == why(known, "x.exp() + 1") == ""


def test_what_an_exporter_is_wrong_on_is_known_of_those_that_extend_it_alone() -> None:
    known = database(FEW, {"frac"})
    assert why(known, "x.frac()", "export-strict") == "frac"
    assert why(known, "x.frac()", "mine") == ""
    assert why(replace(known, extends={"mine": "export"}), "x.frac()", "mine") == "frac"
    assert why(database(FEW, {"frac"}, exporter="export-strict"), "x.frac()") == ""


def test_what_is_right_in_other_cases_makes_nothing_known() -> None:
    several = {f"round{number}": f"x.round().{name}()" for number, name in enumerate(
        ("exp", "log", "floor", "ceil"))}  # fmt: skip
    programs = FEW | several | {"bad": "x.round()"}
    assert why(database(programs, {"bad"}), "x.round()") == ""
    # Those that are not captured say nothing of it.
    assert why(database(programs, {"bad"}, frozenset(several)), "x.round()") == "bad"


def test_what_several_cases_do_and_all_are_wrong_tells_of_a_program_that_does_more_beside() -> None:
    both = {"once": "x.frac().exp()", "again": "x.exp().frac() + 1"}
    beside = "x.frac().exp().erf()"
    assert why(database(FEW | both, {*both}), beside) == "once"
    assert why(database(FEW | both, {"once"}), beside) == ""


def test_arithmetic_alone_makes_nothing_known() -> None:
    """The cause of such a case is something else than what it does, as who holds its inputs."""
    programs = FEW | {"again": "x + 3", "once": "x + 2"}
    assert why(database(programs, {"plus"}), "x + 1") == ""
    assert why(database({"nothing": "x"} | FEW, {"nothing"}), "x") == ""


def test_the_case_most_like_it_is_named_though_it_makes_nothing_known() -> None:
    known = database(FEW, {"frac"})
    program = FORWARD.format("x.erf().cosh() * x.frac()")
    assert known.cause("export", program) == ""
    assert known.nearest("export", program) == "frac"
    assert known.nearest("export", FORWARD.format("x.erf()")) == ""


@pytest.mark.parametrize(
    ("kind", "said", "hidden"),
    [("KeyError", "'…'", False), ("AssertionError", "a node that is in no graph", True)],
)
def test_an_error_in_python_s_own_words_is_known_where_the_program_is_alike(
    kind: str, said: str, hidden: bool
) -> None:
    found = Bucket("export", Outcome.REFUSED, kind, said)
    known = replace(database(FEW, set()), errors={f"{kind}: {said}": {"export": ["frac", "exp"]}})
    for exporter in ("export", "export-strict"):
        error = ErrorInfo(kind, said)
        record = Record("p", exporter, "cpu", Outcome.REFUSED, "capture", error=error)
        assert known.subtracts(record, found) == ("frac" if hidden else "")
        assert known.explains(record, found, FORWARD.format("x.exp() + 2")) == (
            "frac" if hidden else "exp"
        )
        assert known.explains(record, found, FORWARD.format("x.erf()")) == (
            "frac" if hidden else ""
        )


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    return {case.id: case for case in resolve.load()}


@pytest.fixture(scope="module")
def whole(cases: dict[str, Case]) -> Known:
    """What the database knows."""
    return Known.of(cases.values(), plugins.builtin_extends())


@pytest.mark.parametrize(("exporter", "case", "program"), REDUCED)
def test_an_hour_s_causes_have_the_roots_that_the_database_has(
    whole: Known, exporter: str, case: str, program: str
) -> None:
    program = f"import torch\n{program}"
    assert whole.cause(exporter, program) == case
    assert whole.cause("of-somebody-else", program) == ""


@pytest.mark.parametrize("text", ['"{}".format(x.shape)', 'f"{x.shape}"', "str(x.shape)"])
def test_the_text_of_a_size_is_a_known_cause_however_it_is_made(whole: Known, text: str) -> None:
    varies = "dynamic_shapes = {'x': {0: Dim.AUTO}}\n"
    program = f"import torch\n{FORWARD.format(f'x * len({text})')}{varies}"
    assert whole.cause("export", program) == "symbolic_scalars/digits_of_size"


@pytest.fixture(scope="module")
def causes(cases: dict[str, Case]) -> dict[str, set[object]]:
    """What the expectations of a case say is the cause of wrong values, in words or as an issue."""
    found: dict[str, set[object]] = {}
    for case in cases.values():
        path = case.expectations_path
        entries = expectation_files.read(path) if path.is_file() else {}
        values = [entry.value for of in entries.values() for entry in of]
        wrong = [value for value in values if value.get("outcome") == Outcome.WRONG]
        told = {value.get(name) for value in wrong for name in ("note", "issue")}
        found[case.id] = told - {None, "no issue found"}
    return found


def twins(case: str, cases: dict[str, Case], causes: dict[str, set[object]]) -> set[str]:
    """A case, those that are told to have its cause, and those that are written around it."""
    near = {case, *cases[case].meta.rewrites}
    near |= {other.id for other in cases.values() if case in other.meta.rewrites}
    near |= TEXT_OF_SIZE if case in TEXT_OF_SIZE else set()
    return near | {other for other, told in causes.items() if told & causes[case]}


def test_what_a_hunt_found_is_new_where_the_database_does_not_have_it(
    whole: Known, cases: dict[str, Case], causes: dict[str, set[object]]
) -> None:
    """Each case that hunts found is left out with its twins: no other case may hide its cause."""
    hidden = []
    tried = 0
    for case in HUNTED:
        gone = twins(case, cases, causes)
        left = replace(
            whole, wrong={e: wrong - gone for e, wrong in whole.wrong.items()},
            programs={c: text for c, text in whole.programs.items() if c not in gone},
        )  # fmt: skip
        for exporter in (e for e, wrong in whole.wrong.items() if case in wrong):
            tried += 1
            if known := left.cause(exporter, cases[case].program):
                hidden.append((case, exporter, known))
    assert tried > 120
    assert [pair for pair in hidden if pair[1] not in whole.by_design] == []
    assert len(hidden) <= MOST_HIDDEN_BY_DESIGN, hidden


def test_a_broken_operator_is_no_known_cause(whole: Known) -> None:
    """Of an exporter that extends a built-in one, and that breaks one operator of its own."""
    import torch

    functions = dir(torch._C._VariableFunctions)
    operators = [n for n in functions if n in dir(torch.Tensor) and not n.startswith("_")]
    assert len(operators) > 300
    program = "import torch\n" + FORWARD.format("[x.{}(y, 1), 2 * x]")
    known = [
        (name, case) for name in operators
        if (case := whole.cause("export-strict", program.format(name)))
    ]  # fmt: skip
    assert len(known) <= len(operators) // 100, known


def test_a_zero_of_another_sign_has_the_cause_of_a_wrong_value() -> None:
    known = database(FEW, {"frac"})
    record = Record("p", "export", "cpu", Outcome.LOSSY, "compare")
    program = FORWARD.format("x.frac() - 1")

    def why(kind: str) -> str:
        return known.explains(record, Bucket("export", Outcome.LOSSY, kind, ""), program)

    assert why("example, zero-sign-differs") == "frac"
    assert why("example, strides-differ") == ""
