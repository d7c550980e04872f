"""`make newest`: the newest releases of each extra and example, above our upper bounds too, in environments; a table.

What breaks there is told in a table, and is no failure: nobody's release is held up by what others have published.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from docs_site.markdown import page, prose, table
from docs_site.results import NEWEST
from react_tck.cli.earlier_reports import read_report
from react_tck.reports.verdicts import conclude_run_in_a_line
from react_tck.subjects.catalogue import BUILT_IN, BY_HAND

ROOT = Path(__file__).parents[2]
_FOLDER = ROOT / "build" / "newest"
#: Seconds that installing an extra, or a command about a subject, may take.
_PATIENCE = 900
#: Characters of what was said last that are shown.
_SHOWN = 300
#: The examples of other libraries: a subject of each, and what its environment holds, without the kit.
FRAMEWORKS = {
    "autogen": ("python:examples.frameworks.autogen_chat:Autogen", ("autogen-agentchat", "autogen-ext[openai]")),
    "camel": ("python:examples.frameworks.camel_chat:Camel", ("camel-ai", "mcp<2")),
    "crewai": ("python:examples.frameworks.crewai_agent:CrewAI", ("crewai",)),
    # It doesn't ask for all that it imports.
    "qwen": (
        "python:examples.frameworks.qwen_chat:Qwen",
        ("qwen-agent", "numpy", "soundfile", "python-dateutil", "tqdm"),
    ),
}
_UPPER_BOUND = re.compile(r",?\s*(<=?|==|~=)[\w.]+")


@dataclass(frozen=True)
class Tried:
    """What came of a subject, or of an extra that can't be installed: then there is no subject."""

    extra: str
    releases: str
    subject: str
    check: str
    said: str


def list_extras() -> list[str]:
    """Those that bring a subject's library, in the order of the subjects, and the libraries of the examples."""
    return [*dict.fromkeys(extra for _, _, extra in BUILT_IN.values()), *FRAMEWORKS]


def list_packages(extra: str) -> tuple[str, ...]:
    """What pip is told to install for it: no release is too new."""
    if extra in FRAMEWORKS:
        return FRAMEWORKS[extra][1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = extras["reference" if extra in BY_HAND else extra]
    return tuple(_UPPER_BOUND.sub("", each) for each in wanted)


def try_extra(extra: str) -> Iterator[Tried]:
    """Install it afresh, beside what the kit needs, and have each of its subjects checked."""
    try:
        python = _make_environment(extra)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        yield Tried(extra, ", ".join(list_packages(extra)), "–", "–", f"can't be installed: {_describe_failure(error)}")
        return
    releases = _name_releases(python, extra)
    if extra in FRAMEWORKS:
        yield _try_framework(extra, python, releases)
    for subject in (name for name, (_, _, its) in BUILT_IN.items() if its == extra):
        status, said = _run_kit(python, "check", subject)
        yield Tried(extra, releases, subject, status, "" if status == "0" else said)


def _try_framework(name: str, python: Path, releases: str) -> Tried:
    """Have an example checked from the kit's own environment, and played; what is said is its verdict."""
    subject, _ = FRAMEWORKS[name]
    elsewhere = ("--python", str(python), subject)
    status, said = _run_kit(Path(sys.executable), "check", *elsewhere)
    if status == "0":
        report = _FOLDER / f"{name}.json"
        report.unlink(missing_ok=True)
        _run_kit(Path(sys.executable), "run", *elsewhere, "--profile", "all", "--json", str(report))
        said = conclude_run_in_a_line(read_report(report)) if report.is_file() else "not played"
    return Tried(name, releases, subject, status, said)


def render_table(rows: Iterable[Tried]) -> str:
    """A page of what was tried, and when."""
    told = (
        f"The newest releases of {datetime.now(UTC):%Y-%m-%d}, each extra in an environment of its own, without our "
        "upper bounds. `check` of each subject ends with these statuses: 0 is well, 3 not connected."
    )
    head = ("extra", "releases", "subject", "check", "what was said")
    cells = ((r.extra, prose(r.releases), r.subject, r.check, prose(r.said)) for r in rows)
    return page("As installed today", told, table(head, cells))


def _make_environment(extra: str) -> Path:
    folder = _FOLDER / extra
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    needed: list[str] = []
    if extra not in FRAMEWORKS:
        needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(sys.executable, "-m", "venv", "--clear", str(folder))
    _run(*pip, *needed, *list_packages(extra))
    if extra in BY_HAND:
        _run(*pip, *_UPPER_BOUND.sub("", BY_HAND[extra]).split()[2:])
    return python


def _name_releases(python: Path, extra: str) -> str:
    by_hand = _UPPER_BOUND.sub("", BY_HAND.get(extra, "")).split()[-1:]
    names = [re.split(r"[\[<>=;]", each)[0] for each in (*list_packages(extra), *by_hand)]
    listed = _run(str(python), "-m", "pip", "list", "--format", "json", "--disable-pip-version-check").stdout
    there = {each["name"].lower().replace("_", "-"): each["version"] for each in json.loads(listed)}
    return ", ".join(f"{name} {there.get(name, '?')}" for name in names)


def _run_kit(python: Path, *words: str) -> tuple[str, str]:
    """How a command of the kit ended, and what it said last."""
    try:
        done = _run(str(python), "-m", "react_tck", *words)
    except subprocess.TimeoutExpired as error:
        return "too long", _describe_failure(error)
    except subprocess.CalledProcessError as error:
        return str(error.returncode), _describe_failure(error)
    return str(done.returncode), ""


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=True
    )


def _describe_failure(error: subprocess.CalledProcessError | subprocess.TimeoutExpired) -> str:
    """The first line that tells of a failed check, and the last one."""
    if isinstance(error, subprocess.TimeoutExpired):
        return f"more than {_PATIENCE} s"
    lines = [line.strip() for line in f"{error.stdout}\n{error.stderr}".splitlines() if line.strip()]
    failed = [" ".join(line.split()) for line in lines if line.startswith("FAILED")]
    return "; ".join([*failed[:1], *lines[-1:]])[:_SHOWN]


def main(wanted: Sequence[str]) -> int:
    """Try these extras, or all; the table is there after each."""
    if unknown := sorted(set(wanted) - set(list_extras())):
        print(f"There is no extra {unknown[0]!r} with a subject; there are {', '.join(list_extras())}.")
        return 2
    _FOLDER.mkdir(parents=True, exist_ok=True)
    rows: list[Tried] = []
    for extra in wanted or list_extras():
        for row in try_extra(extra):
            rows.append(row)
            print(f"{row.extra}: {row.subject}: check {row.check} ({row.releases}) {row.said}")
        (ROOT / NEWEST).write_text(render_table(rows), encoding="utf-8")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(render_table(rows))
    print(f"The table is {NEWEST}; `make docs` puts it on the site.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
