"""A report as SARIF 2.1.0: a rule a requirement, a result an alert.

What is accepted is a suppressed result; what there is no verdict of, or isn't judged, is a notification of the run.
"""

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from react_tck.catalogue.registry import requirements_of
from react_tck.gate.gate import JUDGED, Gate
from react_tck.model.report import NOT_ASKED, RequirementResult, Verdict
from react_tck.reports.formats.alerts import Alert, AlertState, list_alerts, path_of, severity_of
from react_tck.reports.printing import escape_text
from react_tck.reports.verdicts import verdict_lines

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: The rule of what is about no single requirement.
_GATE = "gate"
#: How a result stands to the baseline; a flaky one is neither in it nor new.
_BASELINE: Mapping[AlertState, str] = {
    AlertState.NEW: "new",
    AlertState.EXPECTED: "unchanged",
    AlertState.STALE: "absent",
}
Json = dict[str, object]


def render_sarif(gate: Gate) -> str:
    """One run in a log."""
    told = list(list_alerts(gate))
    shown = [alert for alert in told if alert.state is not AlertState.BROKEN]
    rules = list(dict.fromkeys(alert.requirement or _GATE for alert in shown))
    subject = f"{gate.report.subject.name} {gate.report.subject.version}"
    run = {
        "tool": {
            "driver": {
                "name": "react-tck",
                "version": gate.report.kit.version,
                "rules": [_make_rule(id_, gate) for id_ in rules],
            }
        },
        "automationDetails": {"id": f"react-tck/{quote(gate.report.subject.name, safe='')}/"},
        "invocations": [_make_invocation(gate, told)],
        "results": [_make_result(alert, gate, rules) for alert in shown],
        "properties": {"subject": escape_text(subject), "profile": gate.report.profile, **_list_verdicts(gate)},
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return f"{json.dumps(log, indent=2, ensure_ascii=False)}\n"


def _list_verdicts(gate: Gate) -> Json:
    """Return both verdicts, a sentence each; nothing before revision 3."""
    lines = verdict_lines(gate.gated_report)
    return {"verdicts": {each.name: escape_text(each.sentence) for each in lines}} if lines else {}


def _make_rule(id_: str, gate: Gate) -> Json:
    requirement = requirements_of(gate.report.revision).by_id.get(id_)
    result = next((each for each in gate.report.requirements if each.id == id_), None)
    if requirement is None or result is None:
        return {"id": id_, "shortDescription": {"text": "What [gate] in react-tck.toml asks for."}}
    return {
        "id": id_,
        "shortDescription": {"text": requirement.sentence},
        "defaultConfiguration": {"level": severity_of(result)},
        "properties": {"tags": [*(["practice"] if result.severity else []), result.weight, requirement.profile]},
    }


def _make_result(alert: Alert, gate: Gate, rules: Sequence[str]) -> Json:
    rule = alert.requirement or _GATE
    place = {"artifactLocation": {"uri": quote(path_of(gate, alert))}, "region": {"startLine": alert.line or 1}}
    result: Json = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": alert.severity,
        "message": {"text": escape_text(alert.text)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"reactTck/v1": alert.fingerprint},
    }
    if gate.section is not None and alert.state in _BASELINE:
        result["baselineState"] = _BASELINE[alert.state]
    if alert.state is AlertState.EXPECTED:
        why = {"justification": escape_text(alert.reason)} if alert.reason else {}
        result["suppressions"] = [{"kind": "external", "status": "accepted", **why}]
    if alert.state is AlertState.FLAKY:
        result["properties"] = {"tags": ["flaky"]}
    return result


def _make_invocation(gate: Gate, told: Sequence[Alert]) -> Json:
    broken = [
        {"level": "error", "message": {"text": escape_text(f"{alert.title}: {alert.text}")}}
        for alert in told
        if alert.state is AlertState.BROKEN
    ]
    unjudged = [
        {"level": "note", "message": {"text": escape_text(_tell_why(row))}, "associatedRule": {"id": row.id}}
        for row in gate.report.requirements
        if row.verdict in (*NOT_ASKED, Verdict.BLOCKED)
    ]
    return {
        "executionSuccessful": gate.exit_status in (*JUDGED, gate.exit_status.STALE_BASELINE),
        "exitCode": int(gate.exit_status),
        "toolExecutionNotifications": broken,
        "toolConfigurationNotifications": unjudged,
    }


def _tell_why(row: RequirementResult) -> str:
    """Return why the requirement isn't judged."""
    if row.blocked_by:
        return f"blocked by {', '.join(row.blocked_by)}"
    return next((each.message for each in row.scenarios if each.message), row.verdict)
