"""The first screen of a run: the verdict, what isn't met with what happened, and what to type next.

At most thirty lines of eighty columns. What doesn't fit is counted, with the command that shows it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType

from rich.text import Text

import react_tck
from react_tck.catalogue.registry import load_registry
from react_tck.judges.verdict import ScriptWrong
from react_tck.model.report import NOT_ASKED, Report
from react_tck.model.requirement import FIRST_WITH_BASIS, SEVERITIES, SPECIFICATIONS
from react_tck.record.transcript import escape_line
from react_tck.reports.causes import owners_of
from react_tck.reports.defects import (
    GROUPS,
    Defect,
    count_rows,
    list_adapter_questions,
    list_broken_harness,
    list_defects,
)
from react_tck.reports.verdicts import (
    DECLARED_OTHERWISE,
    ROBUSTNESS,
    VerdictLine,
    conclude_run,
    explain_lack,
    verdict_lines,
)
from react_tck.results.bug_report import quote_subject
from react_tck.results.exit_status import Exit, broken_practices, exit_status
from react_tck.subjects.catalogue import REFERENCES

#: Columns and lines of the screen.
WIDTH, LINES = 80, 30
#: Groups by which alone a run fails unless the gate says otherwise.
_GRAVE = ("MUST", "critical")
#: Columns of the ids, and lines that are kept for what follows the groups.
_ID_COLUMNS, _TAIL = 10, 6
#: Rows that took the longest are told, from so many seconds on.
_SLOWEST, _LONG = 2, 10
#: Ways to break that are told.
_WAYS = 3


def render_first_screen(
    report: Report, subject: str, seconds: float | None = None, row_seconds: Mapping[str, float] = MappingProxyType({})
) -> list[Text]:
    """Render the screen of a run of a whole profile; `subject` is what the user called it, `seconds` passed in all.

    The source of its rules is the issue that asked for it: verdict first, then by weight, then by rows.
    """
    verdicts = _render_verdicts(report) if is_judged_whole(report) else [conclude_run(report)]
    head = [render_head(report, seconds), *render_varying(report), Text(), *verdicts, Text()]
    tail = [*_render_commands(report, subject), *_render_notes(report), *_render_slowest(row_seconds)]
    harness = [*_render_broken_harness(report), *_render_questions(report)]
    room = LINES - len(head) - len(harness) - max(len(tail) + 1, _TAIL)
    groups, shown = _fill_groups(list_defects(report), room)
    rest = list(_render_rest(report, shown))
    return [*head, *harness, *groups, *rest, *tail]


def render_head(report: Report, seconds: float | None) -> Text:
    """Render who was played, how many rows of it, how long that took, and what played it."""
    ledger = report.ledger
    judged = ledger.registered - ledger.not_selected - ledger.not_run
    took = f" in {seconds:.0f} s" if seconds is not None else ""
    rows = f"{count_rows(judged)}{took}"
    if ledger.errors:
        why = ScriptWrong.kind if exit_status(report) is Exit.USAGE else "the harness broke"
        rows = f"{judged - ledger.errors:,} of {judged:,} rows judged{took}; in {ledger.errors} {why}"
    who = Text(cut(f"{escape_line(report.subject.name)} {escape_line(report.subject.version)}", WIDTH // 2), "bold")
    return _justify(
        who + Text(f"   {rows}", style="not bold"), f"react-tck {react_tck.__version__}, revision {report.revision}"
    )


def render_varying(report: Report) -> Iterator[Text]:
    """Yield what is compared of no two plays, where the subject has said so."""
    if report.varies:
        told = f"not compared, as it says itself: {', '.join(map(escape_line, report.varies))}"
        yield Text(cut(told, WIDTH), style="yellow")


def _justify(left: Text, right: str) -> Text:
    space = WIDTH - len(left.plain) - len(right)
    return left + Text(" " * space + right, style="dim") if space > 2 else left


def is_judged_whole(report: Report) -> bool:
    """Tell whether it has verdicts, one for each specification."""
    return report.is_whole_profile and report.revision >= FIRST_WITH_BASIS and not explain_lack(report)


def list_standing_lines(report: Report) -> list[VerdictLine]:
    """List how a subject stands to each specification that it claims, and to practices; none if nothing was judged."""
    lines = [each for each in verdict_lines(report) if each.name != DECLARED_OTHERWISE]
    return lines if any(each.asked or each.name == ROBUSTNESS for each in lines) else []


def _render_verdicts(report: Report) -> Iterator[Text]:
    lines = list_standing_lines(report)
    width = max((len(each.heading) for each in lines), default=0) + 2
    if not lines:
        yield Text(f"NOTHING WAS JUDGED  it claims none of what {report.profile} is about", style="bold red")
        if (other := f"reference-{report.profile}") in REFERENCES:
            yield Text(f"of the kit's own classes {other} does")
    for each in lines:
        yield Text.assemble((each.heading.ljust(width), "bold green" if each.is_good else "bold red"), each.counts)


def _render_broken_harness(report: Report) -> Iterator[Text]:
    broken = sorted(list_broken_harness(report), key=lambda rows: rows[0][1].kind == ScriptWrong.kind)
    if broken:
        is_script = broken[0][0][1].kind == ScriptWrong.kind
        yield Text(f"{ScriptWrong.kind} (exit 2)" if is_script else "harness broke (exit 3)", style="bold red")
    for rows in broken[:_WAYS]:
        requirement, row = rows[0]
        yield _render_line(requirement.id, requirement.title, len(rows))
        told, width = escape_line(row.fault), WIDTH - _ID_COLUMNS - 2
        lines = wrap(told, width) if row.kind == ScriptWrong.kind else [cut(told, width)]
        yield from (Text(" " * (_ID_COLUMNS + 2) + line) for line in lines)
        if "did not answer 'call' within" in row.fault:
            yield Text(f"{' ' * (_ID_COLUMNS + 2)}does your library ask the LM again by itself, or wait for ever?")
    if len(broken) > _WAYS:
        yield Text(f"  and in {len(broken) - _WAYS} other ways (-v)")


def _render_questions(report: Report) -> Iterator[Text]:
    for shared, rows, question in list_adapter_questions(report):
        yield Text.assemble(("your adapter?", "bold"), f"  no row with {shared} passes ({rows}):")
        yield Text(f"               {question}")


def _fill_groups(defects: Sequence[Defect], room: int) -> tuple[list[Text], list[Defect]]:
    """Render as many defects as there is room for, in their order; and say which these are."""
    lines: list[Text] = []
    shown: list[Defect] = []
    for defect in defects:
        needed = 2 + (not shown or shown[-1].group != defect.group)
        if len(lines) + needed > room:
            break
        if needed > 2:
            lines.append(Text(GROUPS[defect.group], style="bold red" if defect.group in _GRAVE else "bold yellow"))
        lines += _render_defect(defect)
        shown.append(defect)
    return lines, shown


def _render_defect(defect: Defect) -> Iterator[Text]:
    first, *others = defect.ids
    beside = f" ({', '.join(others)})" if others else ""
    yield _render_line(first, f"{defect.title}{beside}", defect.rows)
    yield Text(" " * (_ID_COLUMNS + 2) + cut(escape_line(defect.happened), WIDTH - _ID_COLUMNS - 2), style="dim")


def _render_line(id_: str, title: str, rows: int) -> Text:
    count = count_rows(rows)
    left = f"  {id_:<{_ID_COLUMNS}}"
    said = cut(title, WIDTH - len(left) - len(count) - 2)
    return Text.assemble((left, "bold"), said, " " * (WIDTH - len(left) - len(said) - len(count)), count)


def _render_rest(report: Report, shown: Sequence[Defect]) -> Iterator[Text]:
    """Count what is broken besides."""
    told = {id_ for defect in shown for id_ in defect.ids}
    left = [id_ for defect in list_defects(report) for id_ in defect.ids if id_ not in told]
    weights = Counter(each.weight for each in report.requirements if each.id in left)
    counts = ", ".join(f"{weights[weight]} {weight}" for weight in GROUPS if weights[weight])
    if shown or left:
        yield Text()
    if left:
        yield Text(f"{len(left)} more {'is' if len(left) == 1 else 'are'} broken: {counts} (-v, or --report html=FILE)")


def _render_commands(report: Report, subject: str) -> Iterator[Text]:
    defects = list_defects(report)
    if defects:
        first = defects[0]
        is_own = owners_of(report).get(first.shown.title) == first.ids[0]
        # What stands behind a harness's command is the harness's.
        words = sorted((quote_subject(subject), f"-k {first.ids[0]}"), key=lambda word: word.startswith("-- "))
        command = f"react-tck run {' '.join(words)}" if is_own and not report.features else first.shown.reproduce
        yield Text(f"one of them   {command}")
        if first.ids[0] in load_registry().by_id:  # of features of their own, users know why
            yield Text(f"why           react-tck explain {first.ids[0]}")
    broken = broken_practices(report)
    if exit_status(report) is Exit.CONFORMANT and broken:
        worst = next(each for each in SEVERITIES if any(row.severity == each for row in broken))
        count = sum(row.severity == worst for row in broken)
        yield Text(f'not gated: {count} {worst} broken; [gate] robustness = "{worst}" would fail')


def _render_notes(report: Report) -> Iterator[Text]:
    if report.deviations:
        count = len(report.deviations)
        yield Text(f"{count} deviation{'s' * (count > 1)} of the harness from what users have (-vv)")
    rows = sum(row.verdict in NOT_ASKED for each in report.requirements for row in each.scenarios)
    unclaimed = [each for each in SPECIFICATIONS if each not in report.claims]
    if rows:
        beside = f"; not claimed: {', '.join(unclaimed)}" if unclaimed and report.claims else ""
        yield Text(cut(f"{count_rows(rows)} unsupported{beside or ' (-vv)'}", WIDTH))


def _render_slowest(row_seconds: Mapping[str, float]) -> Iterator[Text]:
    """Yield the slowest rows, if they took long."""
    for row in sorted(row_seconds, key=lambda each: -row_seconds[each])[:_SLOWEST]:
        if row_seconds[row] >= _LONG:
            yield Text(cut(f"took {row_seconds[row]:.0f} s: {escape_line(row)}", WIDTH))


def cut(text: str, width: int) -> str:
    """Cut a text to so many columns, with an ellipsis where something is left out."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
