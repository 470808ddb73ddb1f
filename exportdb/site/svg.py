"""Line charts as SVG, drawn without scripts.

Lines are told apart by their markers and by a label at the end of each, never by colour alone; a
table with the same numbers always stands beside a chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from markupsafe import Markup

from exportdb.site.markup import clean

WIDTH, LEAST_HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 150, 14, 34
GAP = 13.0  # least distance of two labels, in pixels
MARKERS = (
    "M-4,0A4,4 0 1,0 4,0A4,4 0 1,0 -4,0Z",  # circle
    "M-4,-4H4V4H-4Z",  # square
    "M0,-5L5,4H-5Z",  # triangle
    "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",  # diamond
    "M0,5L5,-4H-5Z",  # triangle on its tip
    "M-1.5,-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5V-1.5H-1.5Z",  # plus
    "M-4,-2H4V2H-4Z",  # bar
    "M-2,-5H2V5H-2Z",  # post
)


@dataclass(frozen=True)
class Series:
    """One line: a value for each label of the chart, None where there is none.

    ``of`` is, where that tells more, from how many things each value was made.
    """

    name: str
    values: tuple[float | None, ...]
    of: tuple[int, ...] = ()

    @property
    def drawn(self) -> bool:
        """Whether there is anything to draw."""
        return any(v is not None for v in self.values)


def chart(title: str, labels: Sequence[str], series: Sequence[Series], unit: str = "") -> Markup:
    """A line chart from 0 up. ``unit`` follows the numbers of the axis; with ``%`` it ends at 100.

    A series without a value is left out; nothing is drawn without any.
    """
    drawn = [s for s in series if s.drawn]
    if not drawn or not labels:
        return Markup("")
    top = 100.0 if unit == "%" else _nice(max(v for s in drawn for v in s.values if v is not None))
    height = max(LEAST_HEIGHT, TOP + BOTTOM + GAP * len(drawn))
    parts = [
        f'<svg class="xdb-chart" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{_text(title)}; the table has the numbers">'
    ]
    for step in range(5):
        value = top * step / 4
        y = _y(value, top, height)
        parts.append(
            f'<path class="axis" d="M{LEFT},{y:.1f}H{WIDTH - RIGHT}"/><text x="{LEFT - 6}" '
            f'y="{y + 4:.1f}" text-anchor="end">{value:g}{unit}</text>'
        )
    fitting = max(1, int((WIDTH - LEFT - RIGHT) / (7 * max(map(len, labels)) + 10)))
    every = -(-len(labels) // fitting)
    for i, label in enumerate(labels):
        if i % every == 0:
            parts.append(
                f'<text x="{_x(i, len(labels)):.1f}" y="{height - 12:g}" '
                f'text-anchor="middle">{_text(label)}</text>'
            )
    ends = []
    for number, one in enumerate(drawn):
        points = [(_x(i, len(labels)), _y(v, top, height))
                  for i, v in enumerate(one.values) if v is not None]  # fmt: skip
        path = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        color = f"var(--xdb-line-{number % 8 + 1})"
        parts.append(f'<path d="M{path}" fill="none" style="stroke:{color}" stroke-width="2"/>')
        # With colours used up, another marker: no two lines have both in common.
        marker = MARKERS[(number + number // 8) % len(MARKERS)]
        parts += [
            f'<path d="{marker}" transform="translate({x:.1f},{y:.1f})" style="fill:{color}"/>'
            for x, y in points
        ]
        ends.append((points[-1][1], number, one.name, marker, color))
    ends.sort()
    at = WIDTH - RIGHT + 12
    beside = _spread_labels([y for y, *_ in ends], height - BOTTOM)
    for y, (_, _, name, marker, color) in zip(beside, ends, strict=True):
        parts.append(
            f'<path d="{marker}" transform="translate({at},{y:.1f})" style="fill:{color}"/>'
            f'<text x="{at + 10}" y="{y + 4:.1f}">{_text(name[:20])}</text>'
        )
    return Markup("".join([*parts, "</svg>"]))


def small_charts(labels: Sequence[str], series: Sequence[Series], unit: str = "") -> Markup:
    """A small chart for each series of two values or more, all with one scale."""
    drawn = [s for s in series if sum(v is not None for v in s.values) > 1]
    if not drawn:
        return Markup("")
    bottom, top = _scale([v for s in drawn for v in s.values if v is not None], unit)
    up, along = 60 / (top - bottom), 144 / max(1, len(labels) - 1)
    parts = ['<div class="xdb-multiples">']
    for one in drawn:
        points = [(8 + along * i, 68 - up * (v - bottom), v)
                  for i, v in enumerate(one.values) if v is not None]  # fmt: skip
        path = "L".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y, _ in points)
        told = _caption(one, labels, unit)
        parts.append(
            f'<figure data-exporter="{_text(one.name)}"><svg class="xdb-small" '
            f'viewBox="0 0 160 72" role="img" aria-label="{", ".join(told)}">'
            f'<path class="axis" d="M8,68H152M8,8H152"/>'
            f'<path d="M{path}" fill="none" stroke-width="2"/>{dots}</svg>'
            f"<figcaption>{told[0]}<br><small>{'<br>'.join(told[1:])}</small></figcaption></figure>"
        )
    last_label = labels[-1].removeprefix("torch ")
    ends = f"{_text(labels[0])} to {_text(last_label)}, from {bottom:g} to {top:g}{unit}"
    return Markup("".join([*parts, f"</div><p><small>Each {ends}.</small></p>"]))


def _caption(series: Series, labels: Sequence[str], unit: str) -> list[str]:
    """What is said below a small chart: whose it is, its ends, over what if not over all labels,
    and of how many cases."""
    there = [i for i, v in enumerate(series.values) if v is not None]
    first, last = (f"{series.values[i]:.3g}{unit}" for i in (there[0], there[-1]))
    told = [series.name, first if first == last else f"{first} → {last}"]
    if len(there) < len(labels):
        told.append(f"{labels[there[0]]} to {labels[there[-1]].removeprefix('torch ')}")
    if series.of:
        told.append(f"{series.of[there[0]]} cases")
    return [_text(line) for line in told]


def _scale(values: Sequence[float], unit: str) -> tuple[float, float]:
    """The ends of the axis of small charts: shares that lie close together would be flat lines
    between 0 and 100.

    >>> _scale([67, 70.8], "%"), _scale([40, 100], "%"), _scale([0, 0], "%"), _scale([3, 73], "")
    ((60, 80), (40, 100), (0, 10), (0, 80.0))
    """
    if unit != "%":
        return 0, _nice(max(values))
    bottom = min(10 * int(min(values) // 10), 90)
    return bottom, max(10 * -int(-max(values) // 10), bottom + 10)


def _x(position: int, count: int) -> float:
    span = WIDTH - RIGHT - LEFT - 20
    return LEFT + 10 + (span * position / (count - 1) if count > 1 else span / 2)


def _y(value: float, top: float, height: float) -> float:
    return TOP + (height - TOP - BOTTOM) * (1 - value / top)


def _spread_labels(wanted: Sequence[float], bottom: float) -> list[float]:
    """Where labels go that want to be at these heights, sorted: apart, and none below ``bottom``.

    >>> _spread_labels([10, 12, 50], 60), _spread_labels([50, 50, 50], 60.0)
    ([10, 23.0, 50], [34.0, 47.0, 60.0])
    """
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + GAP) if placed else y)
    limit = bottom
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - GAP
    return placed


def _nice(highest: float) -> float:
    """The end of an axis: the next of 1, 2, 4, 5, 8 times a power of ten.

    >>> _nice(73), _nice(0.03), _nice(0)
    (80.0, 0.04, 1.0)
    """
    if highest <= 0:
        return 1.0
    power = 1.0
    while power < highest:
        power *= 10
    while power / 10 >= highest:
        power /= 10
    return next(round(power * f, 12) for f in (0.1, 0.2, 0.4, 0.5, 0.8, 1) if power * f >= highest)


def _text(text: str) -> str:
    return escape(clean(text), {'"': "&quot;"})
