"""A whole hunt: rounds of programs, their results put into buckets, each cause made small.

Owns the order of events and what is kept so that a hunt can be gone on with. Programs are made by
``generate`` in a child, examined by the runner, cached there; this process never imports torch.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from exportdb.cases.case import Case
from exportdb.cases.frontmatter import parse_case
from exportdb.executors import open_executor
from exportdb.executors.cpu_time import cpu_seconds
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Task, Workers
from exportdb.files import write_whole
from exportdb.hunt import EXAMINATION_TIMEOUT, REDUCTION_SECONDS, buckets, drafts, shrinking
from exportdb.hunt.around import OPINFO
from exportdb.hunt.buckets import Bucket, bucket, same
from exportdb.hunt.drafts import ReducedCause
from exportdb.hunt.features import features
from exportdb.hunt.folder import locked, own_folder
from exportdb.hunt.known import Known
from exportdb.hunt.likeness import ALIKE
from exportdb.hunt.trials import FEWER, SUITE, Target, Trials
from exportdb.plugins import PluginRef
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.runner.attempt import warmed_with
from exportdb.runner.declarations import declarations_of
from exportdb.runner.request import Request
from exportdb.runner.run import Settings, run
from exportdb.runner.warm import IMPORT, warm_workers
from exportdb.runner.watch import Silent, Watch
from exportdb.suites.cases import CaseProgram

#: Programs of the first round and of any, and programs that one task makes. Each round warms up
#: processes of its own, which takes as long as some ten programs.
ROUND, LARGEST_ROUND, PORTION = 80, 320, 20
#: Programs a second, before it is known what one takes: of a slow exporter.
SLOW = 0.5
#: Seconds that the making of one program may take (most take a tenth of one), and what each further
#: one of a task adds.
FIRST_TIMEOUT, FURTHER_TIMEOUT = 20.0, 2.0
#: How much longer than in the first look one may take in all further ones.
LONGER = 1.5
#: Programs of one bucket that are made small in one round: silent ones may have several causes.
EACH, EACH_SILENT = 1, 4
#: Variants of a program that is refused by an internal error: one may go through and be wrong.
VARIANTS = 12


@dataclass(frozen=True)
class GeneratedCase:
    """A program as a case, with its ``elements``, the ``operators`` of ATen that it calls, and the
    case that it must do the same as."""

    case: Case
    elements: tuple[str, ...]
    same_as: Case | None = None
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class HuntOptions:
    """What a hunt is to do. ``programs`` and ``minutes`` end it, whichever comes first: after that
    no examination begins, and what was found is made small.

    One examination may take ``timeout`` seconds, or as many times longer as its exporter says.
    ``like`` are cases to begin from, ``around`` names of elements and operators of which each
    program has one, of all elements if none is named; ``seconds`` of CPU time one program may be
    made smaller. ``cluster`` is the address of the cluster on whose nodes programs are made and
    examined; then ``jobs`` says how many smaller programs are tried at a time, and no more.
    """

    exporters: tuple[PluginRef, ...]
    devices: tuple[PluginRef, ...]
    seed: int = 0
    programs: int | None = None
    minutes: float | None = None
    like: tuple[Case, ...] = ()
    around: tuple[str, ...] = ()
    jobs: int = 1
    cluster: str | None = None
    timeout: float = EXAMINATION_TIMEOUT
    seconds: float = REDUCTION_SECONDS
    home: Path = Path(".exportdb")
    resume: bool = False

    @property
    def name(self) -> str:
        """What names its state: the programs it makes, and who examines them."""
        devices, exporters = (d.name for d in self.devices), (e.target for e in self.exporters)
        words = [str(self.seed), *devices, *exporters]
        return digest("\n".join([*words, *(case.digest for case in self.like), *self.around]))


@dataclass
class HuntState:
    """How far a hunt has come; saved after each step of a round, and after each lead of one.
    ``made`` are the programs that were examined, ``elements`` and ``operators`` say in how many of
    them each is, and ``errors`` why some cannot be tried. ``left_out`` counts the results that were
    known at once, by what they are known by; ``followed`` are the leads of the round under way that
    need no second look; ``ill_conditioned`` counts the leads that are none, since eager itself
    moves as far."""

    next: int = 0
    made: int = 0
    valid: int = 0
    seconds: float = 0.0
    causes: dict[str, ReducedCause] = field(default_factory=dict)
    elements: dict[str, int] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    followed: list[str] = field(default_factory=list)
    ill_conditioned: int = 0

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        data = vars(self) | {"causes": [c.as_json() for c in self.causes.values()]}
        write_whole(path, json.dumps(data))

    @staticmethod
    def read(path: Path) -> HuntState:
        """What was saved; a new one if nothing that can be read was."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            causes = [ReducedCause.from_json(c) for c in data.pop("causes")]
            return HuntState(**data, causes={c.key: c for c in causes})
        except (OSError, ValueError, KeyError, TypeError):
            return HuntState()


@dataclass
class Hunt:
    """A hunt under way; ``told`` is called with a line for whatever a person may want to know.

    Its folder is its own until it is closed. Raises RunnerError where it is to go on with a hunt
    that is still running.
    """

    asked: HuntOptions
    known: Known
    watch: Watch = field(default_factory=Silent)
    told: Callable[[str], None] = lambda line: None

    def __post_init__(self) -> None:
        self.home = self.asked.home / "hunt"
        self.folder = own_folder(self.home / self.asked.name, self.asked.resume)
        self._lock = locked(self.folder)
        self.drafts = self.folder / "drafts"
        self.drafts.mkdir(parents=True, exist_ok=True)
        (self.folder / "programs").mkdir(exist_ok=True)
        self.state = (
            HuntState.read(self.folder / "state.json") if self.asked.resume else HuntState()
        )
        drafts.keep_only(self.drafts, self.state.causes.values())
        self._began = time.monotonic() - self.state.seconds

    def close(self) -> None:
        """Let another hunt go on with this one."""
        self._lock.close()

    def go(self) -> HuntState:
        """Hunt until what was asked for is done. Raises RunnerError."""
        state = self.state
        while not self._over(self._seconds()):
            numbers = self._round(self._seconds())
            made = self._programs(numbers)
            self._save()
            records = self._examined([one.case for one in made], self._end())
            self._save()
            self._tell_what_cannot_be_tried(records)
            examined = {record.case for record in records}
            by_case = {one.case.id: one for one in made if one.case.id in examined}
            leads, known = self._leads(records, by_case)
            self._follow(leads, by_case)
            self._add_up(records, by_case.values())
            _count(state.left_out, known)
            state.next, state.followed = numbers.stop, []
            self._save()
            if records and all(record.outcome is Outcome.TIMEOUT for record in records):
                break  # nor would any other come to its end
        return state

    def _add_up(self, records: Sequence[Record], made: Collection[GeneratedCase]) -> None:
        """Count what came of the programs of a round."""
        state = self.state
        errors = [record for record in records if record.outcome is Outcome.ERROR]
        state.made += len(made)
        state.valid += len(records) - len(errors)
        _count(state.elements, chain.from_iterable(one.elements for one in made))
        _count(state.operators, chain.from_iterable(one.operators for one in made))
        _count(state.outcomes, (str(record.outcome) for record in records))
        _count(state.errors, (buckets.reason(record) for record in errors))

    def _end(self) -> float | None:
        """When the time is over that it has."""
        minutes = self.asked.minutes
        return None if minutes is None else self._began + 60 * minutes

    def _seconds(self) -> float:
        """What it has taken until now, with what it took before it was gone on with."""
        return time.monotonic() - self._began

    def _save(self) -> None:
        self.state.seconds = self._seconds()
        self.state.save(self.folder / "state.json")

    def _tell_what_cannot_be_tried(self, records: Sequence[Record]) -> None:
        """Raises RunnerError if that is every exporter on every device."""
        idle = [record for record in records if record.outcome is Outcome.UNAVAILABLE]
        why = dict.fromkeys(
            f"{r.exporter} cannot be tried: {r.error.message if r.error else r.device}"
            for r in idle
        )
        if records and len(idle) == len(records):
            raise RunnerError("; ".join(why) + "; exportdb doctor says why")
        if not self.state.next:
            for line in why:
                self.told(line)

    def _over(self, seconds: float) -> bool:
        asked = self.asked
        done = asked.programs is not None and self.state.next >= asked.programs
        return done or (asked.minutes is not None and seconds >= asked.minutes * 60)

    def _round(self, seconds: float) -> range:
        """The numbers of the next programs: more at a time when it is known what one takes, but
        hardly more than there is time for."""
        asked, done = self.asked, self.state.next
        size = min(LARGEST_ROUND, 2 * done) if done else ROUND
        if asked.minutes is not None:
            a_second = done / max(seconds, 1.0) if done else SLOW
            left = (asked.minutes * 60 - seconds) * a_second
            size = min(size, max(PORTION, int(left)))
        if asked.programs is not None:
            size = min(size, asked.programs - done)
        return range(done, done + size)

    def _programs(self, numbers: range) -> list[GeneratedCase]:
        """The programs of these numbers, in files."""
        portions = [numbers[i : i + PORTION] for i in range(0, len(numbers), PORTION)]
        workers = self._workers("1", f"{IMPORT}{OPINFO}")
        sources = [case.source for case in self.asked.like]
        found: list[dict[str, Any]] = []

        def task(portion: Sequence[int]) -> Task:
            args = (self.asked.seed, list(portion), sources, list(self.asked.around))
            timeout = FIRST_TIMEOUT + FURTHER_TIMEOUT * (len(portion) - 1)
            return Task("exportdb.hunt.generate:programs", args, timeout, tag=portion)

        with closing(open_executor(workers)) as executor:
            for portion in portions:
                executor.submit(task(portion))
            for ending in executor.endings():
                if ending.failure is None:
                    found += ending.value
                elif len(ending.task.tag) > 1:  # one of them hangs or dies in eager: not the others
                    for number in ending.task.tag:
                        executor.submit(task([number]))
                else:
                    told = ending.failure.message.partition("\n")[0]
                    self.told(f"program {ending.task.tag[0]} could not be made: {told}")
        if not found:
            raise RunnerError("no program could be made")
        return [self._case(one) for one in sorted(found, key=lambda one: one["number"])]

    def _workers(self, *arguments: str) -> Workers:
        return warm_workers(arguments, self.home, self.asked.jobs, cluster=self.asked.cluster)

    def _case(self, one: dict[str, Any]) -> GeneratedCase:
        path = self.folder / "programs" / f"program_{one['number']}.py"
        path.write_text(one["text"], encoding="utf-8")
        case_id = f"hunt/seed{self.asked.seed}_{one['number']}"
        place = one.get("same_as")
        same_as = None if place is None else self.asked.like[place]
        return GeneratedCase(
            parse_case(case_id, path, one["text"]), tuple(one["elements"]), same_as,
            tuple(one["operators"]),
        )  # fmt: skip

    def _examined(self, cases: Sequence[Case], until: float | None = None) -> Sequence[Record]:
        asked = self.asked
        programs = tuple(CaseProgram(case, SUITE) for case in cases)
        request = Request(programs, asked.exporters, asked.devices, FEWER)
        settings = Settings(
            jobs=asked.jobs, timeout=asked.timeout, home=self.home, cluster=asked.cluster,
            retry=False,  # most of what is silently wrong is known: a lead is tried once more
            until=until,
        )  # fmt: skip
        result = run(request, settings, self.watch)
        if result.interrupted:
            raise KeyboardInterrupt
        return result.briefs

    def _leads(
        self, records: Sequence[Record], made: Mapping[str, GeneratedCase]
    ) -> tuple[dict[tuple[Bucket, str], list[Record]], list[str]]:
        """The results that may have a new cause, by bucket and device, and what the others are
        known by."""
        leads: dict[tuple[Bucket, str], list[Record]] = {}
        known = []
        before = self._before(made.values())
        for record in records:
            found = self._lead(record, made[record.case], before)
            if found is None:
                continue
            if why := self.known.subtracts(record, found):
                known.append(why)
            else:
                leads.setdefault((found, record.device), []).append(record)
        return leads, known

    def _follow(
        self, leads: Mapping[tuple[Bucket, str], Sequence[Record]],
        made: Mapping[str, GeneratedCase],
    ) -> None:  # fmt: skip
        """Make one program of each new bucket small."""
        exporters = {ref.name: ref for ref in self.asked.exporters}
        devices = {ref.name: ref for ref in self.asked.devices}
        workers = self._workers("16", *sorted({warmed_with(e) for e in self.asked.exporters}))
        with closing(open_executor(workers)) as executor:
            trials = Trials(executor, self.asked.timeout * LONGER, self._factors())
            for (found, device), alike in leads.items():
                for record in self._worth_reducing(found, alike, made):
                    if (lead := _name(record)) not in self.state.followed:
                        target = Target(exporters[record.exporter], devices[device])
                        self._follow_one(trials, record, found, made[record.case], target)
                        self.state.followed.append(lead)
                        self._save()

    def _follow_one(
        self, trials: Trials, record: Record, found: Bucket, made: GeneratedCase, target: Target
    ) -> None:
        source = made.case.source
        again = partial(trials.again, source, record.outcome, target)
        if not again():
            self.told(f"{found}: not seen a second time, in {record.case}")
        elif trials.ill_conditioned(source, record, target):
            self.state.ill_conditioned += 1
        elif made.same_as:
            self._keep(self._small_change(trials, record, found, made, target))
        else:
            cause = self._small(trials, record, found, source, target)
            self._keep(cause)
            if not cause.known and found.outcome is Outcome.REFUSED:
                self._look_for_silence(trials, cause, target)

    def _worth_reducing(
        self, found: Bucket, alike: Sequence[Record], made: Mapping[str, GeneratedCase]
    ) -> Iterator[Record]:
        """Of the results in a bucket as many as it may have causes, none that was seen already."""
        new = (
            record for record in alike
            if _name(record) in self.state.followed
            or not self._seen(found, record.device, made[record.case])
        )  # fmt: skip
        return islice(new, EACH_SILENT if found.silent else EACH)

    def _before(self, made: Iterable[GeneratedCase]) -> dict[tuple[str, str, str], Record]:
        """What each exporter makes of the cases that some programs must do the same as."""
        cases = {one.same_as.id: one.same_as for one in made if one.same_as}
        records = self._examined(list(cases.values())) if cases else ()
        return {(r.case, r.exporter, r.device): r for r in records}

    def _lead(
        self, record: Record, made: GeneratedCase, before: Mapping[tuple[str, str, str], Record]
    ) -> Bucket | None:
        if made.same_as is None:
            return bucket(record)
        other = before.get((made.same_as.id, record.exporter, record.device))
        return buckets.changed(other, record) if other else None

    def _seen(self, found: Bucket, device: str, made: GeneratedCase) -> bool:
        """Whether the same exporter failed in this way before on that device: on a program that
        does no more, where it says nothing."""
        before = [
            c for c in self.state.causes.values() if found in c.buckets and device in c.devices
            and (c.confirmed or len(c.programs) > 1)  # another program may confirm it
        ]  # fmt: skip
        if not found.silent:
            return bool(before)
        does = features(made.case.program)
        return any(c.features and c.features <= does for c in before)

    def _small(
        self, trials: Trials, record: Record, found: Bucket, text: str, target: Target
    ) -> ReducedCause:
        last = {text: record}

        def still_fails(texts: Sequence[str]) -> list[bool]:
            records = trials.records(texts, target)
            last.update({t: r for t, r in zip(texts, records, strict=True) if r})
            return [r is not None and same(r, found) for r in records]

        small, done = shrinking.shrunk(
            text, still_fails, trials.runnable, self.asked.seconds, self.asked.jobs,
            lambda: self._spent(trials),
        )  # fmt: skip
        shown = last.get(small, record)
        # Written anew it is another text, and fails otherwise; or what was left out kept it sound.
        if not same(shown, found) or (
            small != text and trials.ill_conditioned(small, shown, target)
        ):
            small, shown, done = text, record, False
        alike = self._alike(trials, small, found, target)
        again = partial(trials.again, small, found.outcome, target)
        return self._cause(found, small, record, alike.get("cpu", shown), done, again, [*alike])

    def _small_change(
        self, trials: Trials, record: Record, found: Bucket, made: GeneratedCase, target: Target
    ) -> ReducedCause:
        """The cause of a change that should have changed nothing, in the smallest case in which it
        does; as it was found, where another place of the change does not show it."""
        assert made.same_as is not None
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
                lambda: self._spent(trials),
            )  # fmt: skip
        text, shown = last.get(small, (made.case.source, record))
        again = partial(trials.again, text, found.outcome, target)
        return self._cause(found, text, record, shown, done, again, unchanged=small)

    def _spent(self, trials: Trials) -> float:
        """The seconds that count: of the processor, and of what hangs those of the clock, since it
        uses none. Nodes of a cluster use their own, which this machine cannot tell."""
        if self.asked.cluster is not None:
            return trials.seconds
        return cpu_seconds() + trials.waited

    def _factors(self) -> dict[str, float]:
        """How many times longer than others the exporters say that they take, by target."""
        declared = declarations_of(self.asked.exporters, self.home)
        return {target: said.timeout_factor for target, said in declared.items()}

    def _alike(self, trials: Trials, text: str, found: Bucket, target: Target) -> dict[str, Record]:
        """The records of a program on the other devices on which it fails alike."""
        others = (replace(target, device=d) for d in self.asked.devices if d != target.device)
        records = [record for other in others for record in trials.records([text], other)]
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
            known=self.known.explains(shown, found, program),
            sample=f"{sample.name}: {sample.message}" if sample else "",
            departs=f"first at {shown.departs}" if shown.departs else "",
            near=self.known.nearest(shown.exporter, program) if found.silent else "",
            unchanged=unchanged,
        )  # fmt: skip
        before = self._same(cause)
        if cause.known or (before and before.order < cause.order):
            return cause
        asked = next((e.target for e in self.asked.exporters if e.name == shown.exporter), "")
        cause = drafts.write(self.drafts, cause, shown, again, asked)
        self.told(f"{cause.bucket}  ({cause.statements} statements)")
        return cause

    def _look_for_silence(self, trials: Trials, cause: ReducedCause, target: Target) -> None:
        """Vary a program whose capture is refused, in search of one that is silently wrong."""
        texts = trials.near(cause.text, self.asked.seed, VARIANTS)
        for text, record in zip(texts, trials.records(texts, target), strict=True):
            found = record and bucket(record)
            if not (record and found and found.silent) or self.known.subtracts(record, found):
                continue
            if trials.ill_conditioned(text, record, target):
                self.state.ill_conditioned += 1
            else:
                record = record.with_(case=cause.programs[0])
                self._keep(self._small(trials, record, found, text, target))

    def _keep(self, cause: ReducedCause) -> None:
        causes = self.state.causes
        if before := self._same(cause):
            del causes[before.key]
            first, second = sorted((before, cause), key=lambda one: one.order)
            if second.draft != first.draft:
                shutil.rmtree(self.drafts / second.draft, ignore_errors=True)
            cause = first.with_another(second)
        causes[cause.key] = cause

    def _same(self, cause: ReducedCause) -> ReducedCause | None:
        """The cause that there is already, if this is none of its own."""
        before = [c for c in self.state.causes.values() if self._likeness(c, cause) >= ALIKE]
        return max(before, key=lambda one: self._likeness(one, cause), default=None)

    def _likeness(self, one: ReducedCause, other: ReducedCause) -> float:
        """1 for what is known by one case, or raises one error; else how alike programs are that
        are silently wrong, whoever is and in whatever it shows. Of one that there was no time to
        make small much is by chance: there the first operator that disagrees tells, and what is
        said of the difference."""
        silent = one.bucket.silent
        if one.known != other.known or silent != other.bucket.silent:
            return 0.0
        if not silent:
            return float(any(b.alike(other.bucket) for b in one.buckets))
        if one.known:
            return 1.0
        operators = {b.operator for b in one.buckets} & {b.operator for b in other.buckets}
        if not (one.finished and other.finished):
            alike = any(b.says_the_same(o) for b in one.buckets for o in other.buckets)
            if alike or operators - {""}:
                return 1.0
        return self.known.corpus.likeness(one.features, other.features)


def _name(record: Record) -> str:
    return f"{record.case} {record.exporter} {record.device}"


def _count(counts: dict[str, int], found: Iterable[str]) -> None:
    for one in found:
        counts[one] = counts.get(one, 0) + 1


def new(causes: Sequence[ReducedCause]) -> list[ReducedCause]:
    """The causes that nobody knew: the silent ones first, then the smallest programs."""
    return _ordered(c for c in causes if not c.known and c.confirmed)


def unconfirmed(causes: Sequence[ReducedCause]) -> list[ReducedCause]:
    """Those that nobody knew either, and that were seen once only: they count for nothing."""
    return _ordered(c for c in causes if not c.known and not c.confirmed)


def _ordered(causes: Iterable[ReducedCause]) -> list[ReducedCause]:
    return sorted(
        causes, key=lambda c: (not c.bucket.silent, -c.bucket.outcome.rank, c.statements, c.key)
    )
