"""A report for GitLab's merge requests: its Code Quality format."""

import json
from collections.abc import Mapping

from react_tck.gate.gate import Gate
from react_tck.reports.formats.alerts import Alert, AlertState, list_alerts, path_of
from react_tck.reports.printing import escape_text

#: GitLab has no word for what is flaky or expected, only how bad it is.
_SEVERITIES: Mapping[AlertState, str] = {
    AlertState.BROKEN: "blocker",
    AlertState.NEW: "critical",
    AlertState.FLAKY: "minor",
    AlertState.STALE: "minor",
    AlertState.EXPECTED: "info",
}


def render_gitlab(gate: Gate) -> str:
    """An issue an alert; what isn't judged is none."""
    issues = [_make_issue(gate, alert) for alert in list_alerts(gate)]
    return f"{json.dumps(issues, indent=2, ensure_ascii=False)}\n"


def _make_issue(gate: Gate, alert: Alert) -> dict[str, object]:
    severity = "major" if alert.severity == "error" and alert.state is AlertState.FLAKY else _SEVERITIES[alert.state]
    text = f"{alert.title or alert.requirement} {alert.text}".strip()
    return {
        "description": escape_text(f"{alert.state}: {text}" if alert.state is not AlertState.NEW else text),
        "check_name": alert.requirement or "gate",
        "fingerprint": alert.fingerprint,
        "severity": severity,
        "location": {"path": path_of(gate, alert), "lines": {"begin": alert.line or 1}},
    }
