"""A badge: what shields.io draws from JSON, and a picture of our own that needs nobody."""

import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from react_tck.gate.gate import JUDGED, Gate
from react_tck.model.report import NOT_ASKED, Verdict
from react_tck.reports.verdicts import DECLARED_OTHERWISE, robustness_in_words
from react_tck.results.exit_status import Exit, is_conformant, list_musts, verdicts_of

_LABEL = "react-tck"
#: What shields.io calls a colour, and ours, on which white can be read.
_COLOURS = {"brightgreen": "#2e7d32", "yellow": "#8a6100", "red": "#b3261e", "lightgrey": "#5f6368"}
#: Pixels a character is wide, and beside a text.
_CHARACTER, _MARGIN = 6.6, 6
_NOT_JUDGED = (Verdict.BLOCKED, *NOT_ASKED, Verdict.PENDING, Verdict.EXCLUDED, Verdict.NOT_SELECTED)


class _Badge(NamedTuple):
    message: str
    colour: str


def render_endpoint(gate: Gate) -> str:
    """Return the JSON of a shields.io endpoint."""
    badge = _make_badge(gate)
    shown = {"schemaVersion": 1, "label": _LABEL, "message": badge.message, "color": badge.colour}
    return f"{json.dumps(shown, indent=2, ensure_ascii=False)}\n"


def render_svg(gate: Gate) -> str:
    """Return the picture; it says itself to who can't see it."""
    message, colour = _make_badge(gate)
    left, right = (round(len(text) * _CHARACTER) + 2 * _MARGIN for text in (_LABEL, message))
    said = escape(f"{_LABEL}: {message}")
    style = 'fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">
  <title>{said}</title>
  <rect width="{left + right}" height="20" rx="3" fill="#444"/>
  <path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z" fill="{_COLOURS[colour]}"/>
  <g {style}>
    <text x="{left / 2:g}" y="14">{_LABEL}</text>
    <text x="{left + right / 2:g}" y="14">{escape(message, quote=False)}</text>
  </g>
</svg>
"""


def _describe_practices(gate: Gate) -> Iterator[str]:
    """Yield which practices are broken, in a few words; nothing where the run asked for none."""
    found = verdicts_of(gate.gated_report)
    if found and found.robustness.judged:
        yield f"practices {robustness_in_words(found.robustness)}"
    if found and found.declared_otherwise:
        yield f"{len(found.declared_otherwise)} {DECLARED_OTHERWISE}"


def _make_badge(gate: Gate) -> _Badge:
    """Return the MUSTs that passed among those that were judged, the practices, and what there is to add.

    Green is for who conforms, and breaks no practice that the gate asks for.
    """
    report, status = gate.gated_report, gate.exit_status
    if status not in (*JUDGED, Exit.STALE_BASELINE):
        why = {Exit.KIT_BUG: "the kit failed", Exit.HARNESS_BROKEN: "the harness broke"}
        return _Badge(why.get(status, "interrupted"), "lightgrey")
    ended = Counter(each.verdict for each in list_musts(report))
    asked = sum(count for verdict, count in ended.items() if verdict not in _NOT_JUDGED)
    told = (Verdict.BLOCKED, Verdict.EXPECTED_FAILURE, Verdict.FLAKY, *NOT_ASKED)
    beside = [f"{ended[verdict]} {verdict}" for verdict in told if ended[verdict]]
    part = "" if report.is_whole_profile else " in part"
    message = ", ".join(
        (f"{report.profile}{part}: {ended[Verdict.PASSED]} of {asked} MUST", *beside, *_describe_practices(gate))
    )
    is_green = is_conformant(report) and not report.flakes and status is Exit.CONFORMANT
    if is_green:
        return _Badge(message, "brightgreen" if report.is_whole_profile else "lightgrey")
    return _Badge(message, "red" if status is Exit.NOT_CONFORMANT else "yellow")
