"""What a campaign still discovers, as one HTML page: behaviours over examples, and how much is left."""

from collections.abc import Sequence
from pathlib import Path

from react_tck.fuzz.behaviours import estimate_unseen
from react_tck.fuzz.shards import Behaviour
from react_tck.model.report import Finding
from react_tck.reports import page
from react_tck.reports.page.markup import Html, element, fragment

_TITLE = "react-tck: discoveries"
#: Even markup that slipped through could neither run nor load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
#: Units of the plot, the margin at its left and below, and the most points that its line has.
_WIDTH, _HEIGHT, _MARGIN, _POINTS = 720, 320, 48, 400
_STYLE = """
svg { width: 100%; height: auto; } svg text { fill: var(--quiet); font-size: 12px; }
polyline { fill: none; stroke: var(--link); stroke-width: 2; } line { stroke: var(--line); }
"""


def render_discoveries(said: str, behaviours: Sequence[Behaviour], examples: int, findings: Sequence[Finding]) -> str:
    """Return the page; `said` is the campaign's result in a sentence."""
    body = element(
        "body",
        element("h1", _TITLE),
        element("p", said, class_="failed" if findings else "passed"),
        element("p", _describe_estimate(behaviours, examples)),
        _draw_plot(behaviours, examples),
        *(_render_finding(finding) for finding in findings),
    )
    return f"<!DOCTYPE html>\n{element('html', _render_head(), body, lang='en')}\n"


def _render_head() -> Html:
    style = Path(page.__file__).with_name("style.css").read_text(encoding="utf-8")
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", _TITLE),
        element("style", Html(style + _STYLE)),
    )


def _describe_estimate(behaviours: Sequence[Behaviour], examples: int) -> str:
    marks = {mark for behaviour in behaviours for mark in behaviour.marks}
    once = sum(behaviour.count == 1 for behaviour in behaviours)
    return (
        f"{examples} examples went {len(behaviours)} ways, and reached {len(marks)} positions and variants of choices. "
        f"{once} ways were gone once, so the next example goes a new one with a probability of about "
        f"{estimate_unseen(behaviours, examples):.1%} (Good–Turing)."
    )


def _render_finding(finding: Finding) -> Html:
    return element("p", element("b", ", ".join(finding.requirements)), f": {finding.name}.json")


def _draw_plot(behaviours: Sequence[Behaviour], examples: int) -> Html:
    """Ways that had been gone by each example, and the positions and variants reached by then."""
    ways = [(behaviour.example, number) for number, behaviour in enumerate(behaviours, 1)]
    reached: set[str] = set()
    marks = []
    for behaviour in behaviours:
        reached.update(behaviour.marks)
        marks.append((behaviour.example, len(reached)))
    most = max(len(ways), len(reached), 1)
    right, floor = _WIDTH - _MARGIN, _HEIGHT - _MARGIN
    said = f"{len(ways)} ways and {len(reached)} positions and variants in {examples} examples"
    return element(
        "svg",
        element("title", said),
        *(element("line", x1=str(_MARGIN), x2=str(right), y1=str(y), y2=str(y)) for y in (_MARGIN, floor)),
        element("text", str(most), x="4", y=str(_MARGIN + 4)),
        element("text", "0", x="4", y=str(floor + 4)),
        element("text", f"{examples} examples", x=str(right), y=str(floor + 20), text_anchor="end"),
        *(
            fragment(
                element("polyline", points=_format_points(line, examples, most)),
                element("text", name, x=str(right), y=f"{_scale_y(line[-1][1], most) - 6:.1f}", text_anchor="end"),
            )
            for name, line in (("ways", ways), ("positions and variants", marks))
            if line
        ),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
    )


def _format_points(line: Sequence[tuple[int, int]], examples: int, most: int) -> str:
    step = -(-len(line) // _POINTS)
    shown = [(0, 0), *line[::step], (examples, line[-1][1])]
    width = _WIDTH - 2 * _MARGIN
    return " ".join(f"{_MARGIN + width * x / examples:.1f},{_scale_y(y, most):.1f}" for x, y in shown)


def _scale_y(value: int, most: int) -> float:
    return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * value / most
