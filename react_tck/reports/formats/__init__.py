"""What `--report` writes: a file a format, each a text made of a gate and nothing else."""

from collections.abc import Callable, Mapping

from react_tck.gate.gate import Gate
from react_tck.reports.formats.badge import endpoint, svg
from react_tck.reports.formats.gitlab import gitlab
from react_tck.reports.formats.junit import junit
from react_tck.reports.formats.sarif import sarif
from react_tck.reports.formats.summary import summary
from react_tck.reports.formats.tap import tap

Writer = Callable[[Gate], str]

#: By name, and by how the file's name ends; by nothing where any name will do.
FORMATS: Mapping[str, Mapping[str, Writer]] = {
    "junit": {"": junit},
    "summary": {"": summary},
    "gitlab": {"": gitlab},
    "sarif": {"": sarif},
    "tap": {"": tap},
    "badge": {".json": endpoint, ".svg": svg},
}
