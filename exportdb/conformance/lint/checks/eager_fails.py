"""L051: an accepted sample on which eager fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance.errors import one_line

    for model in subject.case.meta.models:
        try:
            subject.module(model)
        except Exception as e:
            yield subject.line(model), f"{model}() raises {one_line(e)}"
            return
    try:
        samples = subject.samples
    except Exception as e:
        yield subject.line("inputs"), f"the samples cannot be built: {one_line(e)}"
        return
    failed: dict[tuple[int, str, str], list[str]] = {}
    for sample in samples:
        if sample.role == "rejects" or sample.tentative:
            continue
        line = subject.line("accepts" if sample.name.startswith("accepts") else "inputs")
        try:
            inputs = sample.build()
        except Exception as e:
            failed.setdefault((line, "cannot build", one_line(e)), []).append(sample.name)
            continue
        for model in subject.case.meta.models:
            error = subject.run(inputs, model).exception
            if error is not None:
                key = line, f"{model} raises on", one_line(error)
                failed.setdefault(key, []).append(sample.name)
    for (line, what, said), names in failed.items():
        yield line, f"{what} {_named(names)}: {said}"


def _named(samples: list[str], most: int = 3) -> str:
    """The samples in a few words: many fail for one reason."""
    if samples[1:]:
        more = f" and {len(samples) - most} more" if samples[most:] else ""
        return f"{len(samples)} samples ({', '.join(samples[:most])}{more})"
    return "the example" if samples == ["example"] else f"the sample {samples[0]}"


CHECK = Check(
    id="L051",
    what="Eager runs on the example and on every sample the case accepts.",
    why="A case claims that its program works on these; an exporter cannot do better than eager.",
    fix="Where it fails on the example, fix the program or inputs(). Else narrow the declared "
    "range (without min it begins at 0), or move the sample to rejects().",
    on_program=_find,
)
