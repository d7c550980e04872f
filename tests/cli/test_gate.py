"""The gate as a port's repository meets it: what is broken, mended or gone in the harness closes it, and says so."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from react_tck.cli.commands import baseline as baseline_command
from react_tck.cli.main import main
from react_tck.gate.baseline import FILE, Entry, Section, format_baseline, read_baseline
from react_tck.model.report import Report
from tests.support.gates import FewRequirements

TEMPLATES = Path(__file__).parents[2] / "react_tck" / "templates"
PLAIN = Path(__file__).parents[1] / "harnesses" / "plain.py"
#: Where the toy records a step, and what a port does that loses the thought.
THOUGHT = ('{"thought": thought,', '{"thought": "",')
#: Enough to see the gate open and close.
TAGS = "@TRJ-001 or @TRJ-002"
PART = ("run", "--tags", TAGS)
#: What passes soon.
ROW = "ReAct selects and executes a tool"


@dataclass
class Repository:
    """A port in a folder of its own, where the user stands."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def told(self, *arguments: str) -> tuple[int, str]:
        status = main(arguments)
        captured = self.capsys.readouterr()
        return status, captured.out + captured.err

    def change(self, old: str, new: str, file: str = "") -> None:
        path = self.folder / (file or next(each.name for each in self.folder.glob("harness.*")))
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[], Repository]:
    def made() -> Repository:
        assert main(["init", "python", str(tmp_path)]) == 0
        # A wire of its own, which can be broken.
        shutil.copy(PLAIN, tmp_path / "harness.py")
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        port = Repository(tmp_path, capsys)
        config = (tmp_path / "react-tck.toml").read_text(encoding="utf-8")
        command = next(line for line in config.splitlines() if line.startswith("command"))
        port.change(command, f'command = ["{sys.executable}", "harness.py"]', "react-tck.toml")
        return port

    return made


def test_a_regression_closes_the_gate_until_it_is_accepted_or_mended(
    repository: Callable[[], Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = repository()
    status, out = port.told("baseline", "--profile", "udspy")  # a whole profile, of which it supports nothing
    assert (status, '+  "UDS-001",' in out) == (4, True)
    monkeypatch.setattr(baseline_command, "selection", lambda *_: FewRequirements(tags=TAGS))
    assert port.told("baseline", "--write")[0] == 0
    status, out = port.told(*PART)
    assert (status, out.splitlines()[-1]) == (0, f"gate: open; 0 expected failures, as {FILE} lists them")

    port.change(*THOUGHT)
    status, out = port.told(*PART)
    assert status == 1
    assert "TRJ-002" in out
    assert "fails and isn't listed" in out
    assert "gate: closed, objections: " in out.splitlines()[-1]

    assert port.told("baseline", "--write")[0] == 0
    status, out = port.told(*PART, "--json", "report.json")
    assert status == 0
    assert "expected failures, as" in out.splitlines()[-1]
    assert ": conformant" not in out
    # Nobody is told again what explains it; who reads the report later is.
    assert "explains" not in out
    causes = Report.model_validate_json(Path("report.json").read_text(encoding="utf-8")).causes
    assert any(cause.requirement.startswith("TRJ-") for cause in causes)

    port.change(*reversed(THOUGHT))
    status, out = port.told(*PART)
    assert status == 4
    assert f"{FILE}:" in out
    assert "passes and is listed as a failure; delete the row" in out


def test_a_part_is_written_down_without_the_rest(repository: Callable[[], Repository]) -> None:
    port = repository()
    port.change(*THOUGHT)
    known = {"my-react": Section("core", (Entry("ERR-002", "f", reason="why"),))}
    Path(FILE).write_text(format_baseline(known), encoding="utf-8")
    assert port.told("baseline", "--write", "-n", "1", "--tags", "@TRJ-002", "-k", "steps have run out")[0] == 0
    section = read_baseline(Path(FILE))["my-react"]
    assert [(entry.requirement, entry.reason) for entry in section.entries if entry.reason] == [("ERR-002", "why")]
    assert "TRJ-002" in {entry.requirement for entry in section.entries}
    assert section.profile == "core"


def test_what_else_can_happen_to_a_port(repository: Callable[[], Repository], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline_command, "selection", lambda *_: FewRequirements(tags=TAGS))
    port = repository()
    port.change(*THOUGHT)
    status, out = port.told("baseline")
    assert (status, "would change; --write writes it" in out) == (4, True)
    assert not Path(FILE).exists()
    assert port.told("baseline", "--write")[0] == 0
    written = Path(FILE).read_text(encoding="utf-8")

    # What people add is kept.
    fault = next(line for line in written.splitlines() if line.startswith("fault"))
    port.change(fault, f'{fault}\nreason = "#12"\nexpires = 2026-01-31', FILE)
    assert port.told("baseline", "--write")[0] == 0
    assert read_baseline(Path(FILE))["my-react"].entries[0].reason == "#12"
    status, out = port.told("baseline")
    assert (status, f"{FILE} says just that." in out) == (0, True)
    Path(FILE).write_text(written, encoding="utf-8")

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(port.folder / "nowhere" / "summary.md"))
    status, out = port.told("run", "-k", ROW)  # it passes, so that the status is the summary's
    assert (status, "The summary of the job can't be written to " in out) == (2, True)
    monkeypatch.delenv("GITHUB_ACTIONS")

    # A harness that breaks is never accepted.
    port.change("def observe(self, name, args):", "def observe(self, name, args):\n        sys.exit(7)")
    status, out = port.told("baseline", "--write")
    assert (status, "; nothing is written. `react-tck run` tells more." in out) == (3, True)
    assert Path(FILE).read_text(encoding="utf-8") == written


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('strict = "yes"', "[gate] strict = 'yes'; it is true or false"),
        ('require = "LOOP"', """[gate] require = 'LOOP'; it is a list of texts, such as ["LOOP", "TOOL"]"""),
        ('require = ["LOP"]', "[gate] require: there is no area 'LOP'; there are "),
        ("min_must = -1", "[gate] min_must = -1; it is a whole number, 0 or more"),
        ('flaky = "never"', """[gate] flaky = 'never'; it is "pass" or "fail\""""),
        ("min_muts = 1", "[gate] has no key 'min_muts'; did you mean 'min_must'?"),
    ],
)
def test_a_gate_that_cannot_be_meant(line: str, message: str, repository: Callable[[], Repository]) -> None:
    port = repository()
    with Path("react-tck.toml").open("a", encoding="utf-8") as config:
        config.write(f"\n[gate]\n{line}\n")
    status, out = port.told("run")
    assert status == 2
    assert out.startswith(f"react-tck: react-tck.toml: {message}")


def test_a_baseline_that_cannot_be_read_is_told_before_the_run(repository: Callable[[], Repository]) -> None:
    port = repository()
    Path(FILE).write_text("[my-react\n", encoding="utf-8")
    status, out = port.told("run")
    assert (status, out.startswith(f"react-tck: {FILE}: this is not TOML: ")) == (2, True)
    assert "scenarios" not in out


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            "jnuit=x",
            "--report jnuit=x: there is no format 'jnuit'; there are junit, summary, sarif, badge, html.",
        ),
        ("report.xml", "--report report.xml: there is no format 'report.xml'; there are junit, summary, "),
        ("json=x", "html. JSON is --json."),
        ("junit", "--report junit: write FORMAT=FILE, such as junit=FILE; the formats are junit, summary, sarif"),
        ("sarif=", "--report sarif=: write FORMAT=FILE, such as sarif=FILE"),
        ("badge=b.png", "--report badge=b.png: the file of a badge ends in .json or .svg."),
        ("sarif=s.md", "Several reports would be written to s.md; name a file for each."),
        ("sarif=no/s.json", "no/s.json can't be written: there is no folder no."),
    ],
)
def test_a_report_that_cannot_be_meant_is_told_before_the_run(
    asked: str, message: str, repository: Callable[[], Repository]
) -> None:
    port = repository()
    status, out = port.told("run", "--report", "summary=s.md", "--report", asked)
    assert (status, message in out, "scenarios" in out) == (2, True, False)


def test_every_report_is_written_at_once(repository: Callable[[], Repository]) -> None:
    port = repository()
    files = (
        "junit=j.xml",
        "summary=s.md",
        "sarif=s.sarif",
        "badge=b.json",
        "badge=b.svg",
    )
    words = [word for file in files for word in ("--report", file)]
    assert port.told("run", "-k", ROW, *words)[0] == 0
    begins = {"j.xml": "<?xml", "s.md": "### my-react", "s.sarif": "{"}
    for file, start in {**begins, "b.json": "{", "b.svg": "<svg"}.items():
        assert Path(file).read_text(encoding="utf-8").startswith(start), file
