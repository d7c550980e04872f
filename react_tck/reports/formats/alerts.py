"""What reviewers are shown beside their files: one alert a thing to look at, however a page draws it.

It points at the line of the baseline that it is about, else at the subject's own file: the kit's features aren't in a
port's repository.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from react_tck.gate.gate import Gate
from react_tck.model.report import RequirementResult, Verdict
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.reports.causes import format_headline
from react_tck.reports.printing import escape_text

Severity = Literal["error", "warning", "note"]


class AlertState(StrEnum):
    """How it stands to what was known."""

    NEW = "new"
    FLAKY = "flaky"
    #: The baseline says what is no longer so.
    STALE = "stale"
    EXPECTED = "expected"
    #: Of the harness or the kit: there is no verdict.
    BROKEN = "broken"


#: Of an objection, by whether it is stale.
_STANDING: Mapping[bool, tuple[AlertState, Severity]] = {
    False: (AlertState.NEW, "error"),
    True: (AlertState.STALE, "warning"),
}


@dataclass(frozen=True)
class Alert:
    """Something to look at; it closes the gate or fails the run if it is an error."""

    #: Empty where it is about no single one.
    requirement: str
    state: AlertState
    severity: Severity
    text: str
    #: What it is about in a few words, where the requirement doesn't say that.
    title: str = ""
    #: Of the baseline; 0 if it is about no line.
    line: int = 0
    #: Why it is accepted.
    reason: str = ""
    #: What tells it from others where its text may be another one the next time.
    key: str = ""

    @property
    def fingerprint(self) -> str:
        """The same in every run that finds the same."""
        known = "\0".join((self.requirement, self.title, self.key or self.text))
        return hashlib.sha256(known.encode(errors="backslashreplace")).hexdigest()[:32]


def list_alerts(gate: Gate) -> Iterator[Alert]:
    """Yield what is wrong first, what is expected last; without a baseline, the causes of what failed."""
    yield from _list_broken(gate)
    for objection in gate.objections:
        if not objection.is_flaky:
            state, severity = _STANDING[objection.is_stale]
            yield Alert(objection.requirement, state, severity, objection.text, line=objection.line)
    if gate.section is None:
        severities = {requirement.id: severity_of(requirement) for requirement in gate.report.requirements}
        for cause in gate.gated_report.causes:
            severity = severities[cause.requirement]
            yield Alert(cause.requirement, AlertState.NEW, severity, cause.message, format_headline(cause))
    for flake in gate.report.flakes:
        severity = "warning" if gate.is_excused(flake) else "error"
        text = f"{flake.summary_sentence}{flake.parting.difference_text}"
        yield Alert(flake.requirement, AlertState.FLAKY, severity, text, key=f"flaky {flake.row}")
    yield from _list_expected(gate)


def severity_of(requirement: RequirementResult) -> Severity:
    """Return how much a failure of it weighs where reviewers look: a MUST and what is as bad as that is an error."""
    if requirement.level == "MUST" or requirement.severity == "critical" or requirement.id == DECLARED_OTHERWISE:
        return "error"
    return "note" if requirement.severity == "minor" else "warning"


def path_of(gate: Gate, alert: Alert) -> str:
    """Return the file that an alert points at, as the repository knows it."""
    places = gate.places
    return places.in_repository(places.baseline if alert.line else places.subject or places.baseline)


def _list_broken(gate: Gate) -> Iterator[Alert]:
    for error in gate.report.kit_errors:
        yield Alert("", AlertState.BROKEN, "error", error, "a bug of the kit, not of the subject")
    for requirement in gate.gated_report.requirements:
        errors = [result for result in requirement.scenarios if result.verdict is Verdict.ERROR]
        if errors:
            title = f"{requirement.id}, the harness broke in {len(errors)} scenarios"
            yield Alert(requirement.id, AlertState.BROKEN, "error", errors[0].message, title)


def _list_expected(gate: Gate) -> Iterator[Alert]:
    """Yield the entries of the baseline that are true."""
    for entry in gate.section.entries if gate.section else ():
        if entry in gate.acceptance.true_entries:
            reason = " ".join(filter(None, (entry.reason, entry.issue)))
            text = f"fails as listed: {entry.fault!r}"
            yield Alert(entry.requirement, AlertState.EXPECTED, "note", text, line=entry.line, reason=reason)


def format_annotations(gate: Gate) -> Iterator[str]:
    """Yield all but what is expected; what is to be changed in the baseline points at its line."""
    for alert in list_alerts(gate):
        if alert.state is not AlertState.EXPECTED:
            place = f"file={_escape_property(path_of(gate, alert))},line={alert.line}," if alert.line else ""
            title = _escape_property(escape_text(alert.title or alert.requirement or "gate"))
            yield f"::{alert.severity} {place}title={title}::{_escape_data(escape_text(alert.text))}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
