"""Commands of GitHub's runner: an annotation an alert, a line each."""

from collections.abc import Iterator

from react_tck.gate.gate import Gate
from react_tck.reports.formats.alerts import AlertState, alerts, path_of
from react_tck.reports.printing import printable


def annotations(gate: Gate) -> Iterator[str]:
    """All but what is expected; what is to be changed in the baseline points at its line."""
    for alert in alerts(gate):
        if alert.state is not AlertState.EXPECTED:
            place = f"file={_property(path_of(gate, alert))},line={alert.line}," if alert.line else ""
            title = _property(printable(alert.title or alert.requirement or "gate"))
            yield f"::{alert.severity} {place}title={title}::{_data(printable(alert.text))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
