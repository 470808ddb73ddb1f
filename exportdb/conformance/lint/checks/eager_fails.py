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
    for sample in samples:
        if sample.role == "rejects" or sample.tentative:
            continue
        line = subject.line("accepts" if sample.name.startswith("accepts") else "inputs")
        try:
            inputs = sample.build()
        except Exception as e:
            yield line, f"the sample {sample.name} cannot be built: {one_line(e)}"
            continue
        for model in subject.case.meta.models:
            error = subject.run(inputs, model).exception
            if error is not None:
                yield line, f"{model} raises on the sample {sample.name}: {one_line(error)}"


CHECK = Check(
    id="L051",
    what="Eager runs on the example and on every sample the case accepts.",
    why="A case claims that its program works on these; an exporter cannot do better than eager.",
    mend="Narrow the declared range (without min it begins at 0), or move the sample to rejects().",
    on_program=_find,
)
