"""The page of all reports, docs/REPORTS.md: `python -m tests.world.page` writes it."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "REPORTS.md"
REPORTS = Path(__file__).with_name("reports.toml")
#: What was reported, by the kinds of ../shared/WORLD.md.
KINDS = {
    "protocol": "The message protocol: calls and results that don't belong together",
    "anew": "A loop that begins anew, and what has run runs again",
    "parallel": "Several calls in one reply",
    "streams": "Streams as providers send them",
    "twice": "What is promised once is asked for twice: retries, and a person's consent",
    "compaction": "Compaction by a number of messages",
    "keys": "Other people's keys in thoughts and results",
    "values": "Values that another language loses",
    "types": "Errors: untold, or of the wrong type",
    "dull": "Dull values: empty texts and histories",
    "control": "Calls that mix, and runs that differ",
    "names": "Names of tools that there aren't",
    "args": "Args and replies that can't be read",
    "limit": "The end of the steps",
}
_HEAD = """# What the world reports

Public reports about loops like those that the kit tests, {count} of {libraries} libraries in {languages} languages:
what went wrong in a line of our own, what finds it, and what rebuilds it. A name with `mutant:` can be run, as in
`react-tck run mutant:call-repeated`; the others are agents of a few lines in `tests/world/`, which override one correct
agent. A test plays each of them: its requirement fails, and the correct agent passes the same rows.
`python -m tests.world.page` writes this page of `tests/world/reports.toml`.
"""


@dataclass(frozen=True)
class Report:
    """What somebody has reported, and what the kit finds it by."""

    address: str
    library: str
    language: str
    kind: str
    wrong: str
    agent: str
    requirement: str
    since: str
    row: str = ""

    @property
    def mutant(self) -> str:
        """The mutant that rebuilds it, if one does."""
        return self.agent.removeprefix("mutant:") if self.agent.startswith("mutant:") else ""


def read_reports() -> list[Report]:
    """All reports of the table."""
    return [Report(**row) for row in tomllib.loads(REPORTS.read_text(encoding="utf-8"))["report"]]


def render_page(reports: list[Report]) -> str:
    """The page: a table a kind."""
    libraries, languages = {each.library for each in reports}, {each.language for each in reports}
    parts = [_HEAD.format(count=len(reports), libraries=len(libraries), languages=len(languages))]
    for kind, title in KINDS.items():
        if rows := [_render_row(each) for each in reports if each.kind == kind]:
            header = [
                "| report | language | what went wrong | found by | rebuilt as | since |",
                "|---|---|---|---|---|---|",
            ]
            parts.append("\n".join([f"## {title}", "", *header, *rows, ""]))
    return "\n".join(parts)


def _render_row(report: Report) -> str:
    _, _, _, owner, name, _, number = report.address.split("/")
    rebuilt = f"`{report.agent if report.mutant else report.agent.rpartition(':')[2]}`"
    cells = [f"[{owner}/{name} {number}]({report.address})", report.language, report.wrong, report.requirement, rebuilt]
    return f"| {' | '.join([*cells, report.since])} |"


def read_mutants() -> dict[str, str]:
    """The requirement of each mutant."""
    mutants = json.loads((ROOT / "features" / "mutants.json").read_text(encoding="utf-8"))
    return {name: requirement for name, (requirement, *_) in mutants.items()}


if __name__ == "__main__":
    PAGE.write_text(render_page(read_reports()), encoding="utf-8")
