"""Reports made by hand."""

from typing import Any

from react_tck.model.report import KitInfo, Ledger, Report, RequirementResult, SubjectInfo, Verdict


def result(id: str, verdict: Verdict, **more: Any) -> RequirementResult:
    """A requirement that ended so; a MUST of the core profile unless said otherwise."""
    fields = {"level": "MUST", "profile": "core", "scenarios": (), **more}
    return RequirementResult(id=id, verdict=verdict, **fields)


def practice(id: str, verdict: Verdict, severity: str, **more: Any) -> RequirementResult:
    """A practice that ended so, of the robustness profile unless said otherwise."""
    return result(id, verdict, **{"level": None, "severity": severity, "profile": "robustness", **more})


def make_report(*results: RequirementResult, **more: Any) -> Report:
    """A report of these requirements."""
    fields = {"subject": SubjectInfo(name="a subject", version="1"), "ledger": Ledger(registered=1, passed=1), **more}
    fields = {"profile": "core", "is_whole_profile": True, "revision": 2, **fields}
    return Report(kit=KitInfo(version="0"), seed=0, requirements=results, **fields)
