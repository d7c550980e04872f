"""What `--report` writes: a file a format, each a text made of a gate and nothing else."""

from collections.abc import Callable, Mapping

from react_tck.gate.gate import Gate
from react_tck.reports.formats.badge import render_endpoint, render_svg
from react_tck.reports.formats.junit import render_junit
from react_tck.reports.formats.sarif import render_sarif
from react_tck.reports.formats.summary import render_summary
from react_tck.reports.page import render_page

Writer = Callable[[Gate], str]

#: By name, and by how the file's name ends; by nothing where any name will do.
FORMATS: Mapping[str, Mapping[str, Writer]] = {
    "junit": {"": render_junit},
    "summary": {"": render_summary},
    "sarif": {"": render_sarif},
    "badge": {".json": render_endpoint, ".svg": render_svg},
    "html": {"": lambda gate: render_page([gate.gated_report], {}, {})},
}
