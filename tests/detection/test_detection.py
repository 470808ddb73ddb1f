"""The benchmark of detection: who is caught, who is missed and why, and what ends no run of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import detection.mutants  # noqa: E402, F401  # fills MUTANTS
from detection import driver, examining, fitting, needs, predicates, score  # noqa: E402
from detection.captures import controls, exported  # noqa: E402
from detection.mutant import MUTANTS, Mutant  # noqa: E402
from detection.operators import breaking  # noqa: E402

from exportdb.cases.frontmatter import parse_case  # noqa: E402

PROGRAM = '''"""
title: A program
description: It is made for a test.
"""
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return {expression}

def inputs():
    return {inputs}
'''


def case(expression: str, inputs: str = "torch.tensor([-1.0, 2.0])", name: str = "program"):
    source = PROGRAM.format(expression=expression, inputs=inputs)
    return parse_case(name, Path(f"{name}.py"), source)


def put(mutant: Mutant, *cases) -> driver.Tally:
    """What comes of a mutant in some cases."""
    return driver.run(cases, [mutant], jobs=1).tallies[mutant.name]


LEAKY = MUTANTS["relu-lets-a-hundredth-of-negative-values-through"]


def test_a_mutant_is_caught_where_its_defect_shows():
    tally = put(LEAKY, case("torch.relu(x)"))
    assert list(tally.caught) == ["program"]
    assert tally.caught["program"].startswith("wrong: example: output[0] is 0.0 in eager")


@pytest.mark.parametrize(
    ("expression", "inputs", "reason"),
    [
        ("x + 1", "torch.tensor([-1.0, 2.0])", score.NO_CASE),
        ("torch.relu(x * x)", "torch.tensor([1.0, 2.0])", score.NO_SAMPLE),
        ("(torch.relu(x) * 0).abs()", "torch.tensor([-1.0, 2.0])", score.NOT_SEEN),
    ],
)
def test_a_mutant_is_missed_for_a_reason(expression, inputs, reason):
    assert score.missed_because(put(LEAKY, case(expression, inputs))) == reason


def test_who_was_caught_twice_is_tried_no_more():
    programs = [case("torch.relu(x)", name=f"program_{i}") for i in range(4)]
    found = driver.run(programs, [LEAKY], jobs=1).tallies[LEAKY.name]
    assert (found.tried, len(found.caught)) == (2, 2)
    assert len(driver.run(programs, [LEAKY], 1, enough=None).tallies[LEAKY.name].caught) == 4


def test_a_mutant_that_ends_the_process_is_caught_and_the_next_one_is_tried():
    dies = Mutant("test", "it dies", "eager", lambda program, hit: os._exit(3))
    found = driver.run([case("torch.relu(x)")], [dies, LEAKY], jobs=1)
    assert found.tallies["it-dies"].caught == {"program": "crashed: the process ended"}
    assert found.tallies[LEAKY.name].caught


def test_a_fault_of_a_mutant_catches_nobody_and_is_told():
    def fails(right):
        raise KeyError("mine")

    broken = Mutant("test", "it fails", "operators", breaking(["relu"], fails))
    tally = put(broken, case("torch.relu(x)"))
    assert not tally.caught
    assert tally.trouble == {"program": "KeyError: 'mine'"}


def test_a_case_that_cannot_be_observed_is_named():
    found = driver.run([case("x / 0 + None")], [LEAKY], jobs=1)
    assert list(found.broken) == ["program"]


@pytest.mark.parametrize("base", controls())
def test_the_sound_captures_are_not_caught(base):
    sound = controls()[base]
    imitation = Mutant("test", "it is sound", base, sound.make)
    assert not put(imitation, case("torch.relu(x).sum()")).caught


def test_what_one_mutant_writes_the_next_one_does_not_begin_with():
    source = PROGRAM.format(expression="self.total.add_(x).sum() * 2", inputs="torch.ones(3)")
    init = """
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
"""
    source = source.replace("(torch.nn.Module):", f"(torch.nn.Module):{init}")
    counts = parse_case("counts", Path("counts.py"), source)
    sound = [Mutant("test", f"sound, {n}", "export", exported) for n in range(2)]
    found = driver.run([counts], sound, jobs=1)
    assert [tally.tried for tally in found.tallies.values()] == [1, 1]
    assert not any(tally.caught for tally in found.tallies.values())


def test_an_operator_in_place_is_broken_as_the_one_that_is_not():
    assert put(LEAKY, case("x.clone().relu_()")).caught


def test_operators_without_a_case_are_listed():
    found = driver.run([case("torch.relu(x)")], list(MUTANTS.values())[:60], jobs=1)
    assert "floor_divide" in score.lacking(found)
    assert "relu" not in score.lacking(found)


def test_there_are_mutants_of_every_kind_and_each_says_what_is_broken():
    kinds = {m.kind for m in MUTANTS.values()}
    assert len(kinds) >= 20 and len(MUTANTS) >= 170
    assert all(m.name == name and len(m.says.split()) > 1 for name, m in MUTANTS.items())


def test_a_predicate_is_told_apart_where_a_sample_lies_on_its_other_side():
    rest = """
    dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}
    def inputs(n=5):
        return torch.randn(n)
    """
    family = predicates.Family("n >= c", "sizes", "x.shape[0] >= {c}", [4, 10**9], "x", rest)
    told = predicates.measured(family)
    assert list(told.missed) == [10**9]  # no sample is as large
    assert told.share == 0.5 and told.samples > 4


@pytest.mark.parametrize(
    ("name", "constant"),
    [("math.gcd(a, b) == c", 11), ("int(k.item() * 4) == c", -8), ("(k > c).sum() == 2", 4)],
)
def test_what_follows_from_a_number_of_the_program_is_searched_for(name, constant):
    """A divisor of two sizes, a quotient of two numbers, half of the elements of a tensor."""
    (family,) = (f for f in predicates.families() if f.name == name)
    told = predicates.measured(predicates.Family(**{**vars(family), "constants": [constant]}))
    assert not told.missed


@pytest.mark.slow
def test_every_family_makes_a_program_that_can_be_examined():
    for family in predicates.families():
        first = predicates.Family(**{**vars(family), "constants": list(family.constants)[:1]})
        assert not predicates.measured(first).failed, family.name


def test_the_command_prints_the_score_and_gates_on_it(tmp_path):
    def run(*words: str) -> subprocess.CompletedProcess:
        command = [
            sys.executable,
            ROOT / "tools" / "bench_detection.py",
            "modules/shared_submodule",
        ]
        return subprocess.run([*command, *words], capture_output=True, text=True, check=False)

    out = tmp_path / "result.json"
    done = run("--mutant", LEAKY.name, "--mutant", "conj-gives-its-input", "--json", str(out))
    assert done.returncode == 0, done.stderr
    assert "caught by one case alone: 1" in done.stdout
    found = json.loads(out.read_text())
    assert found["score"] == 0.5
    assert found["operators_without_case"] == ["_conj", "conj_physical"]
    assert run("--mutant", "conj-gives-its-input", "--min-score", "0.9").returncode == 1


def test_core_operators_that_no_case_runs_are_listed(tmp_path):
    out = tmp_path / "operators.json"
    subprocess.run(
        [sys.executable, ROOT / "tools" / "bench_detection.py", "--operators",
         "operators/signs_and_magnitudes", "--json", str(out)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(out.read_text())
    assert found["sign"] == ["operators/signs_and_magnitudes"]
    assert found["sqrt"] == []
    assert "relu6" not in found  # it comes apart into operators of core ATen


def test_a_mutant_is_put_to_cases_that_it_fits_alone():
    programs = [case("torch.relu(x)", name=f"program_{i}") for i in range(3)]
    found = driver.run(programs, [LEAKY], jobs=1, fits=lambda c, mutant: c.id == "program_2")
    assert list(found.tallies[LEAKY.name].caught) == ["program_2"]
    nowhere = driver.run(programs, [LEAKY], jobs=1, fits=lambda c, mutant: False)
    assert nowhere.tallies[LEAKY.name].tried == 0


def test_a_mutant_that_names_words_is_put_to_programs_that_say_one():
    programs = [case("torch.vmap(torch.sin)(x)", name="mapped"), case("x.sin()", name="other")]
    named = Mutant("test", "it maps", "eager", LEAKY.make, words=frozenset({"vmap"}))
    fits = fitting.fitting([named], programs, most=4)
    assert [c.id for c in programs if fits(c, named)] == ["mapped"]


def test_a_mutant_that_names_words_needs_the_elements_that_say_one(monkeypatch):
    monkeypatch.setattr("exportdb.hunt.naming.meant", lambda word: ())  # none is an operator
    drawing = Mutant("neighbour: contexts", "it is moved", "eager", controls()["eager"].make,
                     words=frozenset({"fork_rng"}))  # fmt: skip
    assert needs.of(drawing) == ("random",)
    assert needs.of(replace(drawing, words=frozenset())) == ()
    monkeypatch.setattr("exportdb.hunt.naming.meant", lambda word: (f"torch.{word}",))
    assert needs.of(replace(drawing, words=frozenset({"igammac"}))) == ("torch.igammac",)


def test_a_pattern_of_operators_is_looked_for_where_most_of_them_are():
    one = dict.fromkeys(("add", "view", "exp"), frozenset({"0:n"}))
    calls = {f"alone_{i}": {"add": frozenset({f"{i}"})} for i in range(9)} | {"both": one}
    assert "both" in fitting.of_operators(frozenset({"add", "exp"}), calls, 2)


SLOW = '''"""
title: A program
description: It takes its time whoever runs it.
"""
import time

import torch

class Model(torch.nn.Module):
    def forward(self, x):
        time.sleep({seconds})
        return torch.relu(x)

def inputs():
    return torch.tensor([-1.0, 2.0])
'''


def sleeping(seconds: float):
    def make(program, hit):
        def run(*args, **kwargs):
            time.sleep(seconds)
            return program.module(*args, **kwargs)

        return run

    return make


@pytest.mark.parametrize(
    ("program", "mutant", "timeout", "alone", "caught"),
    [
        (0, 1, 3, False, True),
        (0.5, 0.5, 3, False, False),
        (0, 2, 8, True, True),
    ],
)
def test_too_long_is_a_catch_where_the_sound_capture_is_in_time(
    monkeypatch, program, mutant, timeout, alone, caught
):
    monkeypatch.setattr(examining, "TIMEOUT", timeout)
    slow = parse_case("slow", Path("slow.py"), SLOW.format(seconds=program))
    waits = Mutant("test", "it waits", "eager", sleeping(mutant), alone=alone)
    assert put(waits, slow).caught == (
        {"slow": f"timeout: more than {timeout} s"} if caught else {}
    )


def test_what_eager_takes_is_charged_to_no_capture(monkeypatch):
    monkeypatch.setattr(examining, "TIMEOUT", 1)
    observed = examining.observe_eager

    def slowly(*args):
        time.sleep(2)
        return observed(*args)

    monkeypatch.setattr(examining, "observe_eager", slowly)
    bench = examining.Bench(case("torch.relu(x)"), "Model")
    harmless = Mutant("test", "it is sound", "gradients", controls()["gradients"].make)
    found = bench.result(harmless)
    assert found is not None and found.outcome != "timeout"
