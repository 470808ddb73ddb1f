"""One root is one cause, with its smallest program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from exportdb.cases.frontmatter import parse_case
from exportdb.hunt.buckets import Bucket
from exportdb.hunt.causes import Causes, new, unconfirmed
from exportdb.hunt.drafts import ReducedCause
from exportdb.hunt.known import Known
from exportdb.hunt.state import GeneratedCase
from exportdb.records.outcome import Outcome
from tests.hunt.made import CASE, cause_of, silent_in


def kept(folder: Path, *causes: ReducedCause) -> list[ReducedCause]:
    """The causes that are left when these are found one after the other."""
    known = Known(programs={"a": "class A:\n    def a(self): return 1 + 1\n"})
    found = Causes({}, folder, known)
    for one in causes:
        found.keep(one)
    return list(found.found.values())


def test_what_its_script_does_not_show_counts_for_nothing() -> None:
    found = Bucket("export", Outcome.WRONG, "example", "other values")
    text = '"""\ntitle: A\n"""\nclass Model:\n    def forward(self, x):\n        return x.sin()\n'
    told = (
        ("", True, None),
        ("", False, None),
        ("", None, True),
        ("", None, False),
        ("a/b", None, None),
    )
    causes = [
        ReducedCause((found,), text, ("p",), known=known, proved=proved, again=again)
        for known, proved, again in told
    ]
    assert new(causes) == [causes[0], causes[2]]
    assert unconfirmed(causes) == [causes[1], causes[3]]


def test_one_root_is_one_cause_however_and_on_whatever_it_shows(tmp_path: Path) -> None:
    one = cause_of("return x.frac()", silent_in("export", "example, range-wider-than-guards"))
    other = cause_of("return x.frac() + 1", silent_in("export-strict", "values", "a fake tensor"))
    (found,) = kept(tmp_path, one, other)
    assert found.text == one.text
    assert found.exporters == ("export", "export-strict")
    assert found.kinds == ("example", "range-wider-than-guards", "values")
    assert found.programs == one.programs + other.programs
    assert ReducedCause.from_json(json.loads(json.dumps(found.as_json()))) == found


def test_what_is_known_of_one_exporter_hides_nothing_of_another(tmp_path: Path) -> None:
    known = cause_of("return x.frac()", silent_in("export", "example"), known="operators/frac")
    own = cause_of("return x.frac()", silent_in("mine", "example"))
    assert kept(tmp_path, known, own) == [known, own]
    other = cause_of("return x.erf()", silent_in("mine", "example"))
    assert kept(tmp_path, own, other) == [own, other]


def test_of_unfinished_programs_the_first_operator_that_disagrees_tells(tmp_path: Path) -> None:
    at = replace(silent_in("mine", "example"), operator="frac")
    long, other = cause_of("return x.frac().erf()", at), cause_of("return x.frac() + x.cosh()", at)
    assert len(kept(tmp_path, long, other)) == 2
    assert len(kept(tmp_path, replace(long, finished=False), other)) == 1
    assert len(kept(tmp_path, long, replace(other, finished=False))) == 1
    elsewhere = cause_of("return x.frac().cosh()", replace(at, operator=""))
    assert len(kept(tmp_path, replace(long, finished=False), elsewhere)) == 2


def test_of_unfinished_programs_the_words_of_the_difference_tell_too(tmp_path: Path) -> None:
    said = "output has shape (#) in eager, (#) in capture"
    small = cause_of("return x.frac()", silent_in("mine", "example", said))
    long = cause_of("return x.erf() + x.cosh()", silent_in("mine", "values", said))
    assert len(kept(tmp_path, small, long)) == 2  # each was made as small as it can be
    (found,) = kept(tmp_path, small, replace(long, finished=False))
    assert found.text == small.text
    # That some number is another is said of every cause.
    numbers = "… is # in eager, # in capture"
    small, long = (
        replace(one, buckets=(silent_in("mine", "example", numbers),)) for one in (small, long)
    )
    assert len(kept(tmp_path, small, replace(long, finished=False))) == 2


def test_a_program_that_is_confirmed_takes_the_place_of_one_that_is_not(tmp_path: Path) -> None:
    doubted = replace(cause_of("return x.frac()", silent_in("mine", "example")), proved=False)
    sure = replace(cause_of("return x.frac() + 1", silent_in("mine", "values")), proved=True)
    for order in ((doubted, sure), (sure, doubted)):
        (found,) = kept(tmp_path, *order)
        assert (found.text, found.confirmed) == (sure.text, True)
        assert set(found.programs) == {*doubted.programs, *sure.programs}


def test_a_cause_that_was_not_confirmed_is_looked_at_once_more(tmp_path: Path) -> None:
    found = silent_in("mine", "example")
    first = replace(cause_of("return x.frac()", found), proved=False)
    causes = Causes({}, tmp_path, Known())
    made = GeneratedCase(parse_case("p", tmp_path / "p.py", CASE), ())
    causes.keep(first)
    assert not causes.seen(found, "cpu", made)
    causes.keep(replace(first, programs=("another",)))
    assert causes.seen(found, "cpu", made)


def test_all_that_one_case_explains_is_one_cause(tmp_path: Path) -> None:
    one = cause_of("return x.frac()", silent_in("export", "example"), known="operators/frac")
    other = cause_of("return x.erf()", silent_in("export", "values"), known="operators/frac")
    assert len(kept(tmp_path, one, other)) == 1


def test_an_error_is_one_cause_whoever_raises_it(tmp_path: Path) -> None:
    def refused(exporter: str, said: str) -> Bucket:
        return Bucket(exporter, Outcome.REFUSED, "KeyError", said)

    one, other = (cause_of("return x.erf()", refused(name, "a")) for name in ("export", "mine"))
    assert [c.exporters for c in kept(tmp_path, one, other)] == [("export", "mine")]
    assert len(kept(tmp_path, one, cause_of("return x.erf()", refused("export", "b")))) == 2


def test_the_smallest_program_of_a_cause_is_kept(tmp_path: Path) -> None:
    small = cause_of("return x.frac()", silent_in("mine", "example"))
    large = cause_of("y = x.frac()\n        return y", silent_in("mine", "values"))
    for order in ((large, small), (small, large)):
        (found,) = kept(tmp_path, *order)
        assert (found.text, found.kinds) == (small.text, ("example", "values"))


def test_a_refusal_on_one_device_is_looked_into_on_another() -> None:
    found = Bucket("export", Outcome.REFUSED, "KeyError", "a")
    text = '"""\ntitle: A\n"""\nclass Model:\n    def forward(self, x):\n        return x.sin()\n'
    cause = ReducedCause((found,), text, ("p",), devices=("cpu",))
    other = replace(cause, devices=("toy",))
    assert cause.with_another(other).devices == ("cpu", "toy")
    assert cause.key == other.key
    causes = Causes({cause.key: cause}, Path("drafts"), Known())
    made = GeneratedCase(parse_case("hunt/p", Path("p.py"), text), ())
    seen = [causes.seen(found, device, made) for device in ("cpu", "toy")]
    assert seen == [True, False]
