"""What the symbolic-shape engine recorded while a program was captured, as data.

Owns reading a shape environment and what a captured program publishes. Running a program is left
to ``engine`` and to the exporters; names and texts to ``names``. Read facts before anything else
looks at the capture: a careless comparison of sizes adds guards.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exportdb.symbolic.lines import assertion_lines, user_line
from exportdb.symbolic.names import InputNames, SymbolNames, input_names, is_unbacked, spelled
from exportdb.symbolic.requested import RequestedSize, requests
from exportdb.symbolic.values import constant_of, expression_of, expressions, shape_env_of

Range = tuple[str, str]

RANGE_WIDER = "range-wider-than-guards"


@dataclass(frozen=True)
class SymbolFact:
    """One symbol: ``source`` is the input's property, or the operator that made the value.

    ``traced`` is the range that was assumed while tracing, ``published`` the one that the
    captured program says it accepts (None when it says nothing).
    """

    name: str
    source: str
    backed: bool
    traced: Range
    published: Range | None = None


@dataclass(frozen=True)
class DimFact:
    """What became of a size that was asked to be dynamic.

    ``asked`` is the dim's name or hint, ``value`` the expression or the constant it has now.
    """

    source: str
    asked: str
    kept: bool
    value: str


@dataclass(frozen=True)
class Counts:
    """How much was recorded; ``guards`` and ``runtime_assertions`` are the distinct ones."""

    guards: int
    symbols: int
    unbacked: int
    runtime_assertions: int


@dataclass(frozen=True)
class Display:
    """What changes from place to place and run to run; shown, never compared.

    ``lines`` maps the text of a guard or an assertion to the user's line that caused it, ``hints``
    a symbol to its size in the example; ``nodes`` is the size of the graph, dead nodes included,
    which differs between modes that record the same.
    """

    lines: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    nodes: int | None = None


@dataclass(frozen=True)
class Facts:
    """What was recorded about one capture. All but ``display`` and ``findings`` is stable: the
    same in every process, under every hash seed and in every mode that records the same.

    ``guards`` and ``runtime_assertions`` are texts over input names and canonical unbacked names;
    ``replacements`` maps a size to the expression that was found equal to it; ``ranges`` maps
    each symbolic size (and each unbacked symbol) to the range that the capture publishes, or,
    where it publishes none, to the one while tracing. ``findings`` are (finding ID, message).
    """

    symbols: tuple[SymbolFact, ...] = ()
    dims: tuple[DimFact, ...] = ()
    guards: tuple[str, ...] = ()
    runtime_assertions: tuple[str, ...] = ()
    replacements: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    counts: Counts = Counts(0, 0, 0, 0)
    display: Display = Display()
    findings: tuple[tuple[str, str], ...] = ()

    def stable(self) -> dict[str, Any]:
        """The part that expectations compare, as JSON-ready data."""
        data = dataclasses.asdict(dataclasses.replace(self, display=Display(), findings=()))
        del data["display"], data["findings"]
        return _plain(data)

    def to_json(self) -> dict[str, Any]:
        """Everything but the findings, as JSON-ready data; ``display`` is not for comparing."""
        return {**self.stable(), "display": _plain(dataclasses.asdict(self.display))}


@dataclass(frozen=True)
class Recording:
    """Where facts are read from, whoever made it.

    ``values`` are the fake input leaves in flattening order (None where unknown), ``names`` what
    they are called, ``made`` the values of the graph's operations with their operator, in order,
    ``published`` the range constraints of an exported program. ``nodes`` and ``lines`` are the
    number of graph nodes and the user lines of assertions, where there is a graph.
    """

    shape_env: Any
    names: InputNames
    values: Sequence[Any]
    made: Sequence[tuple[str, Any]] = ()
    published: Mapping[Any, Any] | None = None
    nodes: int | None = None
    lines: Mapping[str, str] = field(default_factory=dict)


def read(
    artifact: Any,
    *,
    forward: Any = None,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    symbols: SymbolNames | None = None,
) -> Facts:
    """The facts of an ``ExportedProgram`` or of a graph module with ``node.meta["val"]``.

    ``forward`` (a module, function or signature), ``args`` and ``kwargs`` give the inputs their
    names and ``dynamic_shapes`` what was asked for; without them inputs are called as in the
    graph and no dims are reported. ``symbols`` continues the numbering of a canonical graph.
    """
    graph = artifact.graph
    placeholders = _input_placeholders(artifact)
    named = forward is not None
    names = input_names(forward, args, kwargs or {}) if named else []
    if len(names) != len(placeholders):
        names = [str(name) for name, _ in placeholders]
    live = _live(graph)
    made = [
        (str(n.target), n.meta.get("val")) for n in live if n.op not in ("placeholder", "output")
    ]
    recording = Recording(
        shape_env=shape_env_of(n.meta.get("val") for n in graph.nodes),
        names=InputNames(names, [str(name) for name, _ in placeholders]),
        values=[value for _, value in placeholders],
        made=made,
        published=getattr(artifact, "range_constraints", None),
        nodes=len(graph.nodes),
        lines=assertion_lines(graph),
    )
    asked = requests(forward, args, kwargs or {}, dynamic_shapes) if named else []
    return of(recording, asked, symbols)


def of(
    recording: Recording, asked: Sequence[RequestedSize] = (), symbols: SymbolNames | None = None
) -> Facts:
    """The facts of a recording, with what became of the sizes that were asked to be dynamic."""
    env = recording.shape_env
    if env is None:  # nothing was symbolic
        # A graph whose inputs have no values at all does not say what became of them.
        said = asked if any(value is not None for value in recording.values) else ()
        dims = tuple(DimFact(r.source, r.asked, False, _constant(recording, r)) for r in said)
        return Facts(dims=dims, display=Display(nodes=recording.nodes))
    return _FactsReader(recording, symbols or SymbolNames()).facts(asked)


def explain(
    recording: Recording, asked: Sequence[RequestedSize] = ()
) -> tuple[Facts, Callable[[Any], str]]:
    """The facts of a recording that has a shape environment, and the text of its expressions."""
    reader = _FactsReader(recording, SymbolNames())
    return reader.facts(asked), reader.as_recorded


class _FactsReader:
    """Reads one recording; what its methods share is how symbols are called."""

    def __init__(self, recording: Recording, symbols: SymbolNames) -> None:
        self.recording = recording
        self.env = recording.shape_env
        self.symbols = symbols
        self.sources = {
            symbol: recording.names.source(_source_name(sources[0]))
            for symbol, sources in self.env.var_to_sources.items()
            if sources
        }
        # Which of several equal sizes torch goes on with depends on the mode; ours is the first.
        self.first: dict[Any, Any] = {}
        for symbol in self.sources:
            self.first.setdefault(self.env.replace(symbol), symbol)
        # The symbols that matter, in order of first appearance, with the operator that made them.
        self.makers: dict[Any, str] = {}
        self._number()

    def facts(self, asked: Sequence[RequestedSize]) -> Facts:
        guards = {
            text: user_line(getattr(g, "sloc", None) or g)
            for g in self.env.guards
            for text in self._guard(g.expr)
        }
        assertions = {
            self.readable(a.expr): user_line(a) or self.recording.lines.get(str(a.expr), "")
            for a in self._assertions()
        }
        lines = sorted({**guards, **assertions}.items())
        guards.pop("True", None)
        assertions.pop("True", None)
        facts = [self._symbol(symbol) for symbol in self.makers]
        return Facts(
            symbols=tuple(facts),
            dims=tuple(self._dim(request) for request in asked),
            guards=tuple(sorted(guards)),
            runtime_assertions=tuple(sorted(assertions)),
            replacements=self._replacements(),
            ranges=self._ranges(),
            counts=Counts(
                guards=len(guards),
                symbols=len(facts),
                unbacked=sum(not f.backed for f in facts),
                runtime_assertions=len(assertions),
            ),
            display=Display({k: v for k, v in lines if v}, self._hints(), self.recording.nodes),
            findings=tuple(_wider(fact) for fact in facts if _is_wider(fact)),
        )

    def readable(self, expr: Any) -> str:
        """An expression over what the inputs are called; ``u0`` for what no input gives."""
        return spelled(self._replaced(expr), self._source)

    def as_recorded(self, expr: Any) -> str:
        """The same, but sizes that were found equal keep their own names."""

        def spell(symbol: Any) -> str:
            return self.sources.get(symbol) or self._source(symbol)

        return spelled(self._replaced(expr), spell)

    def _source(self, symbol: Any) -> str:
        first = self.first.get(self.env.replace(symbol), symbol)
        return self.sources.get(first) or self.symbols.name(symbol).name

    def _guard(self, expr: Any) -> Iterator[str]:
        """The texts of one guard. That two sizes are equal is said of the first of its kind."""
        if type(expr).__name__ == "Equality" and all(side in self.sources for side in expr.args):
            for side in expr.args:
                if (text := self.as_recorded(side)) != (first := self._source(side)):
                    yield f"{first} == {text}"
        else:
            yield self.readable(expr)

    def _number(self) -> None:
        """Give every symbol that still matters its number: inputs first, then the graph."""
        for value in self.recording.values:
            for expr in expressions(value):
                self._use(expr)
        for operator, value in self.recording.made:
            for expr in expressions(value):
                self._use(expr, operator)
        for assertion in self._assertions():
            self._use(self._replaced(assertion.expr))

    def _use(self, expr: Any, operator: str = "") -> None:
        """Number the symbols of an expression that ``operator`` made, if they are new."""
        self.symbols.expression(expr)
        new = expr.free_symbols - self.makers.keys()
        for symbol in sorted(new, key=list(self.symbols.known).index):
            self.makers[symbol] = operator

    def _assertions(self) -> Iterator[Any]:
        for group in self.env.deferred_runtime_asserts.values():
            yield from group

    def _replaced(self, expr: Any) -> Any:
        """An expression with what is known of the symbols that no input gives."""
        inner = expr.free_symbols - self.sources.keys()
        return expr.xreplace({s: self.env.replace(s) for s in inner})

    def _symbol(self, symbol: Any) -> SymbolFact:
        published = (self.recording.published or {}).get(symbol)
        return SymbolFact(
            name=self.symbols.name(symbol).name,
            source=self._source(symbol) if symbol in self.sources else self.makers[symbol],
            backed=not is_unbacked(symbol),
            traced=_range(self.env.var_to_range[symbol]),
            published=None if published is None else _range(published),
        )

    def _dim(self, request: RequestedSize) -> DimFact:
        values = self.recording.values
        value = values[request.leaf] if request.leaf < len(values) else None
        if request.dim is not None and value is not None:
            value = value.shape[request.dim]
        constant = constant_of(value)
        if constant is None and (expr := expression_of(value)) is not None:
            bound = self.env.bound_sympy(expr)
            if bound.lower != bound.upper:
                return DimFact(request.source, request.asked, True, self.symbols.expression(expr))
            constant = bound.lower
        return DimFact(request.source, request.asked, False, str(constant))

    def _replacements(self) -> dict[str, str]:
        """Sizes of inputs that were found to be an expression of others, or a constant."""
        found = ((self.sources[s], self.readable(self.env.replace(s))) for s in self.sources)
        return {source: text for source, text in sorted(found) if source != text}

    def _ranges(self) -> dict[str, Range]:
        published = self.recording.published or {}

        def of_expression(expr: Any) -> Range:
            found = published.get(expr)
            return _range(self.env.bound_sympy(expr) if found is None else found)

        ranges: dict[str, Range] = {}
        for name, value in zip(self.recording.names.names, self.recording.values, strict=False):
            for source, size in _sizes(name, value):
                if (expr := expression_of(size)) is not None and expr.free_symbols:
                    ranges[source] = of_expression(expr)
        for symbol in self.makers:
            if symbol not in self.sources:
                ranges[self.symbols.name(symbol).name] = of_expression(symbol)
        return ranges

    def _hints(self) -> dict[str, str]:
        values = getattr(self.env, "backed_var_to_val", None)
        if values is None:
            values = getattr(self.env, "var_to_val", {})  # its name before 2.12
        return {self.symbols.name(s).name: str(values[s]) for s in self.makers if s in values}


def _sizes(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    if hasattr(value, "shape"):
        return [(f"{name}.size()[{i}]", size) for i, size in enumerate(value.shape)]
    return [(name, value)]


def _constant(recording: Recording, request: RequestedSize) -> str:
    value = recording.values[request.leaf] if request.leaf < len(recording.values) else None
    return str(value if request.dim is None or value is None else value.shape[request.dim])


def _source_name(source: Any) -> str:
    name = source.name
    return name() if callable(name) else name  # a method before it became a property


def _range(value: Any) -> Range:
    return str(value.lower), str(value.upper)


def _is_wider(fact: SymbolFact) -> bool:
    if fact.published is None:
        return False
    (low, high), (traced_low, traced_high) = map(_bound, fact.published), map(_bound, fact.traced)
    return low < traced_low or high > traced_high


def _bound(text: str) -> float:
    return float(text.replace("int_oo", "inf").replace("oo", "inf"))


def _wider(fact: SymbolFact) -> tuple[str, str]:
    published = "..".join(fact.published or ())
    return RANGE_WIDER, (
        f"{fact.source} is published as {published}, but tracing assumed {'..'.join(fact.traced)}"
    )


def _input_placeholders(artifact: Any) -> list[tuple[Any, Any]]:
    """The input leaves in flattening order: (placeholder's name or constant, fake value)."""
    values = {n.name: n.meta.get("val") for n in artifact.graph.nodes if n.op == "placeholder"}
    signature = getattr(artifact, "graph_signature", None)
    if signature is None:
        return list(values.items())
    return [
        (name, values.get(name) if isinstance(name, str) else name)
        for name in signature.user_inputs
    ]


def _live(graph: Any) -> list[Any]:
    """The nodes that matter: what the output, an assertion or an effect needs, in order."""
    live: set[Any] = set()
    for node in reversed(graph.nodes):
        target = str(node.target)
        kept = node.op in ("placeholder", "output") or node.is_impure()
        if kept or node in live or "assert" in target or "constrain" in target:
            live.update((node, *node.all_input_nodes))
    return [node for node in graph.nodes if node in live]


def _plain(data: Any) -> Any:
    """Tuples as lists, all the way down: what reading the JSON back gives."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data
