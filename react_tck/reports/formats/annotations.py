"""Commands of GitHub's runner: an annotation an alert, a line each."""

from collections.abc import Iterator

from react_tck.gate.gate import Gate
from react_tck.reports.formats.alerts import AlertState, list_alerts, path_of
from react_tck.reports.printing import escape_text


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
