"""What a report means for the exit status."""

from enum import IntEnum

from react_tck.model.report import Report, RequirementResult, Verdict


class Exit(IntEnum):
    """Exit statuses of the command line (DESIGN.md)."""

    CONFORMANT = 0
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


#: A MUST with one of these verdicts isn't met. What is declared unsupported is not held against the subject here;
#: it is counted and listed. What is expected to fail fails.
_NOT_MET = {Verdict.FAILED, Verdict.UNTESTABLE, Verdict.EXPECTED_FAILURE}


#: Who leaves these out has no loop to be judged (REQUIREMENTS.md, revision 2).
CORE_OF_THE_LOOP = ("LOOP-001", "LOOP-002", "LOOP-003", "LOOP-004", "TOOL-003", "ERR-001", "ERR-002", "ERR-005")


def unsupported_core(report: Report) -> list[str]:
    """What the report asked for of the core of the loop and the subject doesn't support."""
    unsupported = (r.id for r in report.requirements if r.verdict is Verdict.UNSUPPORTED)
    return [id_ for id_ in unsupported if id_ in CORE_OF_THE_LOOP]


def unmet(report: Report) -> list[RequirementResult]:
    """The MUST requirements that aren't met."""
    return [r for r in report.requirements if r.level == "MUST" and r.verdict in _NOT_MET]


def is_conformant(report: Report) -> bool:
    """Every MUST is met, the core of the loop is there, and something was shown.

    Who supports nothing has not conformed to anything.
    """
    return not unmet(report) and not unsupported_core(report) and report.ledger.passed > 0 and _shows_a_must(report)


def _shows_a_must(report: Report) -> bool:
    """Whether a MUST passed, if any was selected. Sanitizers pass where there is nothing to see."""
    asked = [r for r in report.requirements if r.level == "MUST" and r.profile != "sanitizer"]
    verdicts = {requirement.verdict for requirement in asked} & {Verdict.PASSED, Verdict.UNSUPPORTED}
    return not verdicts or Verdict.PASSED in verdicts


def exit_status(report: Report) -> Exit:
    """The status a run with this report ends with."""
    if report.interrupted:
        return OF_SIGNALS[report.interrupted]
    if report.kit_errors:
        return Exit.KIT_BUG
    if report.ledger.errors:
        return Exit.HARNESS_BROKEN
    return Exit.CONFORMANT if is_conformant(report) else Exit.NOT_CONFORMANT
