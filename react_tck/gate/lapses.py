"""What is to be mended or accepted: that a row fails, or what judges see in one; and which of it is one fault."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import DECLARED_OTHERWISE, Threshold, is_held_against
from react_tck.subjects.config import Flaky

#: What stands in the place of a value.
_VALUE = "…"
#: A quotation, which may have been cut off; an apostrophe within a word begins none.
_QUOTATION = re.compile(r"""(?<!\w)(?:"(?:\\.|[^"\\])*(?:"|$)|'(?:\\.|[^'\\])*(?:'|$))""")
_INNERMOST = re.compile(r"\[[^][{}]*\]|\{[^][{}]*\}")
_CUT_OFF = re.compile(r"[\[{].*$")
_PLAIN = re.compile(r"(?<![\w-])-?\d[\d.]*(?:[eE][-+]?\d+)?(?![\w-])|\b(?:true|false|null|True|False|None)\b")


def fold_values(fault: str) -> str:
    """Return the fault with an ellipsis for each value: quotations, lists, objects, numbers, nonces.

    >>> from react_tck.gate.lapses import fold_values
    >>> fold_values("the next LM request shows 'add result 1 ~cbc73235'")
    'the next LM request shows …'
    >>> fold_values('Then the tool "add" ran with {"a": [2]}, or not at all')
    'Then the tool … ran with …, or not at all'
    """
    text = _QUOTATION.sub(_VALUE, fault)
    while (inner := _INNERMOST.sub(_VALUE, text)) != text:
        text = inner
    return _PLAIN.sub(_VALUE, _CUT_OFF.sub(_VALUE, text))


#: A requirement, and how it is violated.
Fault = tuple[str, str]


@dataclass(frozen=True)
class GateRules:
    """What else the gate asks for: `[gate]` in `react-tck.toml`."""

    #: SHOULDs count as MUSTs do.
    strict: bool = False
    #: Areas, such as LOOP, of which every MUST is to be judged.
    require: tuple[str, ...] = ()
    #: So many MUSTs are to pass.
    min_must: int = 0
    #: Whether a row closes the gate that fails, and passes when it is played again; empty for "pass".
    flaky: Flaky = ""
    #: From which severity on a broken practice closes the gate.
    robustness: Threshold = "critical"

    def is_counted(self, requirement: RequirementResult) -> bool:
        """Tell whether a failure of the requirement closes the gate."""
        return (
            requirement.level == "MUST"
            or (self.strict and requirement.level == "SHOULD")
            or is_held_against(requirement.severity, self.robustness)
            or requirement.id == DECLARED_OTHERWISE
        )


@dataclass(frozen=True)
class Lapse:
    """Something to accept or to mend: a requirement that isn't met in a row."""

    fault: Fault
    row: str
    #: Whether it is the requirement's own row that failed, rather than that judges saw it in some row.
    is_own: bool

    @property
    def requirement(self) -> str:
        """The id of the requirement that isn't met."""
        return self.fault[0]


@dataclass(frozen=True)
class LapseGroup:
    """What one fault explains: its requirement's own rows, and those of others."""

    fault: Fault
    lapses: Sequence[Lapse]

    @property
    def rows(self) -> tuple[str, ...]:
        """The requirement's own rows that fail by it."""
        own = (each.row for each in self.lapses if each.is_own and each.requirement == self.fault[0])
        return tuple(dict.fromkeys(own))

    @property
    def blocked(self) -> tuple[tuple[str, int], ...]:
        """The other requirements that fail by it, each with how many of their rows do."""
        others = dict.fromkeys((each.requirement, each.row) for each in self.lapses)
        return tuple(Counter(id_ for id_, _ in others if id_ != self.fault[0]).items())


def find_lapses(report: Report, rules: GateRules) -> Iterator[Lapse]:
    """Yield all that counts and fails."""
    for requirement in report.requirements:
        if rules.is_counted(requirement):
            yield from (lapse_of(requirement, result) for result in list_failures(requirement))


def list_failures(requirement: RequirementResult) -> list[ScenarioResult]:
    """Return what is held against the requirement: what judges saw counts only where it is blamed for it."""
    return [result for result in requirement.held_results if result.verdict is Verdict.FAILED]


def lapse_of(requirement: RequirementResult, result: ScenarioResult) -> Lapse:
    """Return what is to be accepted or mended of one result of the requirement."""
    is_own = requirement.profile != "sanitizer" and any(result is each for each in requirement.scenarios)
    return Lapse((requirement.id, fold_values(result.fault)), result.title, is_own)


def find_shown_faults(report: Report) -> Mapping[str, frozenset[Fault]]:
    """Return which faults each failing row shows, its own and what judges saw, whether or not they count.

    That is a matter of the row alone: it is the same whatever else is played.
    """
    shown: dict[str, set[Fault]] = {}
    for requirement in report.requirements:
        for result in (*requirement.scenarios, *requirement.departures):
            if result.verdict is Verdict.FAILED:
                shown.setdefault(result.title, set()).add(lapse_of(requirement, result).fault)
    return {row: frozenset(faults) for row, faults in shown.items()}


def group_lapses(lapses: Iterable[Lapse], report: Report) -> list[LapseGroup]:
    """Return the lapses by the fault that explains them: of a row it is its cause's, that which most rows show.

    What judges see explains itself, in whatever row they see it.
    """
    shown = find_shown_faults(report)
    spread = Counter(fault for faults in shown.values() for fault in faults)
    causes = {row: cause for cause in report.causes for row in cause.rows}
    groups: dict[Fault, list[Lapse]] = {}
    for lapse in lapses:
        cause, explaining = causes.get(lapse.row), lapse.fault
        if cause and lapse.is_own:
            seen = [fault for fault in shown[lapse.row] if fault[0] == cause.requirement]
            ranks = {fault: (spread[fault], fault[1] == cause.kind, fault[1]) for fault in seen}
            explaining = max(seen, key=ranks.__getitem__, default=lapse.fault)
        groups.setdefault(explaining, []).append(lapse)
    return [LapseGroup(fault, found) for fault, found in groups.items()]
