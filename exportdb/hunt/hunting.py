"""A whole hunt: rounds of programs, their results put into buckets, each cause made small.

Owns the order of events and what is kept so that a hunt can be gone on with. Programs are made by
``generate`` in a child, examined by the runner, cached there; this process never imports torch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from exportdb.cases.case import Case
from exportdb.cases.frontmatter import parse_case
from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Task, Workers
from exportdb.hunt import buckets, drafts
from exportdb.hunt.around import OPINFO
from exportdb.hunt.buckets import Bucket, bucket
from exportdb.hunt.causes import Causes
from exportdb.hunt.folder import locked, own_folder
from exportdb.hunt.known import Known
from exportdb.hunt.leads import LONGER, Leads, lead_name
from exportdb.hunt.state import GeneratedCase, HuntOptions, HuntState
from exportdb.hunt.trials import FEWER, SUITE, Target, Trials
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
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
        self.causes = Causes(self.state.causes, self.drafts, self.known)
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
            following = Leads(
                self.asked, self.state, self.causes, trials, self.told
            )  # fmt: skip
            for (found, device), alike in leads.items():
                for record in following.worth_reducing(found, alike, made):
                    if (lead := lead_name(record)) not in self.state.followed:
                        target = Target(exporters[record.exporter], devices[device])
                        following.follow(record, found, made[record.case], target)
                        self.state.followed.append(lead)
                        self._save()

    def _factors(self) -> dict[str, float]:
        """How many times longer than others the exporters say that they take, by target."""
        declared = declarations_of(self.asked.exporters, self.home)
        return {target: said.timeout_factor for target, said in declared.items()}

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


def _count(counts: dict[str, int], found: Iterable[str]) -> None:
    for one in found:
        counts[one] = counts.get(one, 0) + 1
