"""What a report means: both verdicts, and the exit status."""

from collections.abc import Iterable, Sequence
from enum import IntEnum

from react_tck.judges.verdict import ScriptWrong
from react_tck.model.report import NOT_ASKED, Conformance, Report, RequirementResult, Robustness, Verdict, Verdicts
from react_tck.model.requirement import (
    DECLARED_OTHERWISE,
    FIRST_WITH_BASIS,
    SEVERITIES,
    Specification,
    Threshold,
    is_held_against,
)


class Exit(IntEnum):
    """Exit statuses of the command line (docs/COMMANDS.md)."""

    CONFORMANT = 0
    #: A MUST isn't met, a practice of the gate's severity is broken, or something was declared otherwise.
    NOT_CONFORMANT = 1
    USAGE = 2
    HARNESS_BROKEN = 3
    #: Nothing is broken, but what the baseline lists is no longer so.
    STALE_BASELINE = 4
    KIT_BUG = 5
    #: What a shell calls a program that Ctrl-C or a signal ended; there is no verdict.
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


#: By the name of the signal.
OF_SIGNALS = {"SIGHUP": Exit.HUNG_UP, "SIGINT": Exit.INTERRUPTED, "SIGTERM": Exit.TERMINATED}


#: A MUST with one of these verdicts isn't met, a practice is broken. What is unsupported or untestable is not held
#: against the subject; it is counted and listed. What is expected to fail fails.
_NOT_MET = (Verdict.FAILED, Verdict.EXPECTED_FAILURE)
#: What another's violation made fail: it isn't judged, and nobody conforms with it.
_BLOCKED = (Verdict.BLOCKED,)
#: What isn't among what was judged.
_NOT_JUDGED = (
    *_BLOCKED,
    *NOT_ASKED,
    Verdict.PENDING,
    Verdict.EXCLUDED,
    Verdict.NOT_SELECTED,
    Verdict.NOT_RUN,
)


#: Who leaves these out has no loop to be judged.
CORE_OF_THE_LOOP = ("LOOP-001", "LOOP-002", "LOOP-003", "LOOP-004", "TOOL-003", "ERR-001", "ERR-002", "ERR-005")


def unsupported_core(report: Report) -> list[str]:
    """Return what the report asked for of the core of the loop, as a MUST, and the subject doesn't support."""
    return _without_core(list_musts(report))


def list_musts(report: Report) -> list[RequirementResult]:
    """Return the MUSTs that bind the subject: its user's own, and since revision 3 those of what it claims."""
    claimed = (None, *report.claims)
    return [r for r in report.requirements if r.level == "MUST" and r.specification in claimed]


def list_unmet(report: Report) -> list[RequirementResult]:
    """Return the MUST requirements that aren't met."""
    return _not_met(list_musts(report))


def broken_practices(report: Report, threshold: Threshold = "minor") -> list[RequirementResult]:
    """Return the practices from a severity on that are broken."""
    return _not_met(_list_practices(report, threshold))


def list_blocked(report: Report, threshold: Threshold = "minor") -> list[RequirementResult]:
    """Return the MUSTs, and the practices from a severity on, that another's violation made fail.

    A report with one of them shows no conformance, whatever became of the other: flaky, expected or not counted.
    """
    asked = (*list_musts(report), *_list_practices(report, threshold))
    return [r for r in asked if r.verdict in _BLOCKED]


def declared_otherwise(report: Report) -> list[str]:
    """Return what the subject declares and was seen to do otherwise, in a line each; none before revision 3."""
    rows = (r for r in report.requirements if r.id == DECLARED_OTHERWISE and r.level is None)
    seen = (each.fault for row in _not_met(rows) for each in row.scenarios if each.verdict in _NOT_MET)
    return list(dict.fromkeys(seen))


def verdicts_of(report: Report) -> Verdicts | None:
    """Return both verdicts and what is declared otherwise; None before revision 3."""
    if report.revision < FIRST_WITH_BASIS:
        return None
    practices = [r for r in report.requirements if r.severity]
    broken = broken_practices(report)
    return Verdicts(
        conformance=tuple(filter(None, (_judge_conformance(report, each) for each in (*report.claims, None)))),
        robustness=Robustness(
            judged=sum(r.verdict not in _NOT_JUDGED for r in practices),
            broken={each: tuple(r.id for r in broken if r.severity == each) for each in SEVERITIES},
            blocked=tuple(r.id for r in practices if r.verdict in _BLOCKED),
        ),
        declared_otherwise=tuple(declared_otherwise(report)),
    )


def _judge_conformance(report: Report, specification: Specification | None) -> Conformance | None:
    """How it stands to a specification, or to its user's own features; None where the run asked for nothing of that."""
    own = (r for r in list_musts(report) if r.specification == specification)
    asked = [r for r in own if r.verdict is not Verdict.NOT_SELECTED]
    if not asked:
        return None
    missed, core = _not_met(asked), _without_core(asked)
    flaky = [r.id for r in asked if r.verdict is Verdict.FLAKY]
    blocked = [r.id for r in asked if r.verdict in _BLOCKED]
    is_whole = not (missed or blocked or core or flaky)
    return Conformance(
        specification=specification,
        is_conformant=is_whole and _shows_a_must(asked),
        judged=sum(r.verdict not in _NOT_JUDGED for r in asked),
        unmet=tuple(r.id for r in missed),
        blocked=tuple(blocked),
        flaky=tuple(flaky),
        unsupported=tuple(r.id for r in asked if r.verdict in NOT_ASKED),
        without_core=tuple(core),
    )


def is_conformant(report: Report) -> bool:
    """Every MUST is met and none is blocked, the core of the loop is there, and something was shown.

    Who supports nothing has not conformed to anything. What practices are broken is no matter of conformance.
    """
    is_shown = shows_anything(report) and _shows_a_must(list_musts(report))
    is_unjudged = any(r.verdict in _BLOCKED for r in list_musts(report))
    return not (list_unmet(report) or is_unjudged or unsupported_core(report)) and is_shown


def shows_anything(report: Report) -> bool:
    """Tell whether a scenario passed or failed: sanitizers pass where there is nothing to see."""
    judged = (Verdict.PASSED, Verdict.UNEXPECTED_PASS, Verdict.FLAKY, Verdict.FAILED, Verdict.EXPECTED_FAILURE)
    rows = (row.verdict in judged for each in report.requirements for row in each.scenarios)
    scenarios = (each.verdict in judged for each in report.requirements if each.profile != "sanitizer")
    return any(rows) or any(scenarios)


def _list_practices(report: Report, threshold: Threshold) -> list[RequirementResult]:
    return [r for r in report.requirements if is_held_against(r.severity, threshold)]


def _not_met(requirements: Iterable[RequirementResult]) -> list[RequirementResult]:
    return [r for r in requirements if r.verdict in _NOT_MET]


def _without_core(asked: Iterable[RequirementResult]) -> list[str]:
    return [r.id for r in asked if r.id in CORE_OF_THE_LOOP and r.verdict is Verdict.UNSUPPORTED]


def _shows_a_must(asked: Sequence[RequirementResult]) -> bool:
    """Tell whether a MUST passed, if any was selected. Sanitizers pass where there is nothing to see."""
    verdicts = {r.verdict for r in asked if r.profile != "sanitizer"} & {Verdict.PASSED, *NOT_ASKED}
    return not verdicts or Verdict.PASSED in verdicts


def exit_status(report: Report, robustness: Threshold = "critical") -> Exit:
    """Return the status a run with this report ends with; practices count from a severity on."""
    if report.interrupted:
        return OF_SIGNALS[report.interrupted]
    if report.kit_errors:
        return Exit.KIT_BUG
    if report.ledger.errors:
        broken = (row for each in report.requirements for row in each.scenarios if row.verdict is Verdict.ERROR)
        return Exit.USAGE if all(row.kind == ScriptWrong.kind for row in broken) else Exit.HARNESS_BROKEN
    wrong = (*broken_practices(report, robustness), *list_blocked(report, robustness), *declared_otherwise(report))
    return Exit.CONFORMANT if is_conformant(report) and not wrong else Exit.NOT_CONFORMANT
