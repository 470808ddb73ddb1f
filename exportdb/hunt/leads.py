"""From a lead to a cause: seen once more, made small in its bucket, and tried with its script.

Owns what is done with a result that may have a new cause. Which results are such leads is left to
``buckets`` and ``known``, how one is made smaller to ``shrinking``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from exportdb.executors.cpu_time import cpu_seconds
from exportdb.hunt import buckets, drafts, shrinking
from exportdb.hunt.buckets import Bucket, bucket, same
from exportdb.hunt.causes import Causes
from exportdb.hunt.drafts import ReducedCause
from exportdb.hunt.state import GeneratedCase, HuntOptions, HuntState
from exportdb.hunt.trials import Target, Trials
from exportdb.prose import plural
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record

#: How much longer than in the first look one may take in all further ones.
LONGER = 1.5
#: Programs of one bucket that are made small in one round: silent ones may have several causes.
EACH, EACH_SILENT = 1, 4
#: Variants of a program that is refused by an internal error: one may go through and be wrong.
VARIANTS = 12


@dataclass
class Leads:
    """What one round of a hunt does with its leads.

    ``trials`` examine the programs on the way, ``causes`` keep what comes of them, and ``told`` is
    called with a line for whatever a person may want to know.
    """

    asked: HuntOptions
    state: HuntState
    causes: Causes
    trials: Trials
    told: Callable[[str], None]

    def follow(self, record: Record, found: Bucket, made: GeneratedCase, target: Target) -> None:
        """Make the program of one small, and keep its cause."""
        trials, source = self.trials, made.case.source
        again = partial(trials.again, source, record.outcome, target)
        if not again():
            self.told(f"{found}: not seen a second time, in {record.case}")
        elif trials.ill_conditioned(source, record, target):
            self.state.ill_conditioned += 1
        elif made.same_as:
            self.causes.keep(self._small_change(record, found, made, target))
        else:
            cause = self._small(record, found, source, target)
            self.causes.keep(cause)
            if not cause.known and found.outcome is Outcome.REFUSED:
                self._look_for_silence(cause, target)

    def worth_reducing(
        self, found: Bucket, alike: Sequence[Record], made: Mapping[str, GeneratedCase]
    ) -> Iterator[Record]:
        """Of the results in a bucket as many as it may have causes, none that was seen already."""
        new = (
            record for record in alike
            if lead_name(record) in self.state.followed
            or not self.causes.seen(found, record.device, made[record.case])
        )  # fmt: skip
        return islice(new, EACH_SILENT if found.silent else EACH)

    def _small(self, record: Record, found: Bucket, text: str, target: Target) -> ReducedCause:
        trials = self.trials
        last = {text: record}

        def still_fails(texts: Sequence[str]) -> list[bool]:
            records = trials.records(texts, target)
            last.update({t: r for t, r in zip(texts, records, strict=True) if r})
            return [r is not None and same(r, found) for r in records]

        small, done = shrinking.shrunk(
            text, still_fails, trials.runnable, self.asked.seconds, self.asked.jobs,
            self._spent,
        )  # fmt: skip
        shown = last.get(small, record)
        # Written anew it is another text, and fails otherwise; or what was left out kept it sound.
        if not same(shown, found) or (
            small != text and trials.ill_conditioned(small, shown, target)
        ):
            small, shown, done = text, record, False
        alike = self._alike(small, found, target)
        again = partial(trials.again, small, found.outcome, target)
        return self._cause(found, small, record, alike.get("cpu", shown), done, again, [*alike])

    def _small_change(
        self, record: Record, found: Bucket, made: GeneratedCase, target: Target
    ) -> ReducedCause:
        """The cause of a change that should have changed nothing, in the smallest case in which it
        does; as it was found, where another place of the change does not show it."""
        assert made.same_as is not None
        trials = self.trials
        (change,), source = made.elements, made.same_as.source
        last: dict[str, tuple[str, Record]] = {}

        def still_fails(texts: Sequence[str]) -> list[bool]:
            pairs = trials.changed_alike(texts, change)
            before = dict(zip(pairs, trials.records([*pairs], target), strict=True))
            after = dict(zip(pairs, trials.records([*pairs.values()], target), strict=True))
            for text, changed in pairs.items():
                one, other = before[text], after[text]
                if one and other and buckets.changed(one, other) == found:
                    last[text] = changed, other
            return [text in last for text in texts]

        small, done = source, False
        if still_fails([source])[0]:
            small, done = shrinking.shrunk(
                source, still_fails, trials.runnable, self.asked.seconds, self.asked.jobs,
                self._spent,
            )  # fmt: skip
        text, shown = last.get(small, (made.case.source, record))
        again = partial(trials.again, text, found.outcome, target)
        return self._cause(found, text, record, shown, done, again, unchanged=small)

    def _spent(self) -> float:
        """The seconds that count: of the processor, and of what hangs those of the clock, since it
        uses none. Nodes of a cluster use their own, which this machine cannot tell."""
        if self.asked.cluster is not None:
            return self.trials.seconds
        return cpu_seconds() + self.trials.waited

    def _alike(self, text: str, found: Bucket, target: Target) -> dict[str, Record]:
        """The records of a program on the other devices on which it fails alike."""
        others = (replace(target, device=d) for d in self.asked.devices if d != target.device)
        records = [record for other in others for record in self.trials.records([text], other)]
        return {r.device: r for r in records if r is not None and same(r, found)}

    def _cause(
        self, found: Bucket, small: str, record: Record, shown: Record, done: bool,
        again: Callable[[], bool], also: Sequence[str] = (), unchanged: str = "",
    ) -> ReducedCause:  # fmt: skip
        """What is known of the ``small`` program that came of ``record`` and does as ``shown``,
        ``also`` on other devices; a draft of it unless it is nothing new. ``unchanged`` is the
        program that it must do the same as."""
        on = {record.device, *also}
        sample, program = shown.deciding, shrinking.split(small)[1]
        error = f"{shown.error.type}: {shown.error.message}"[:3000] if shown.error else ""
        cause = ReducedCause(
            (found,), small, (record.case,), finished=done, error=error,
            devices=tuple(ref.name for ref in self.asked.devices if ref.name in on),
            known=self.causes.known.explains(shown, found, program),
            sample=f"{sample.name}: {sample.message}" if sample else "",
            departs=f"first at {shown.departs}" if shown.departs else "",
            near=self.causes.known.nearest(shown.exporter, program) if found.silent else "",
            unchanged=unchanged,
        )  # fmt: skip
        before = self.causes.same(cause)
        if cause.known or (before and before.order < cause.order):
            return cause
        own = (e for e in self.asked.exporters if e.name not in self.causes.known.of_torch)
        asked = next((e.target for e in own if e.name == shown.exporter), "")
        cause = drafts.write(self.causes.drafts, cause, shown, again, asked)
        self.told(f"{cause.bucket}  ({plural(cause.statements, 'statement')})")
        return cause

    def _look_for_silence(self, cause: ReducedCause, target: Target) -> None:
        """Vary a program whose capture is refused, in search of one that is silently wrong."""
        trials = self.trials
        texts = trials.near(cause.text, self.asked.seed, VARIANTS)
        for text, record in zip(texts, trials.records(texts, target), strict=True):
            found = record and bucket(record)
            if not (record and found and found.silent) or self.causes.known.subtracts(
                record, found
            ):
                continue
            if trials.ill_conditioned(text, record, target):
                self.state.ill_conditioned += 1
            else:
                record = record.with_(case=cause.programs[0])
                self.causes.keep(self._small(record, found, text, target))


def lead_name(record: Record) -> str:
    """What names the result of an examination among those of a hunt."""
    return f"{record.case} {record.exporter} {record.device}"
