"""What other people's CI runs, as it stands: the GitHub action's steps, the workflow of `init`, GitLab's, the hooks.

One after the other on one machine: the action installs the kit, which writes a port, which installs the kit again.
"""

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.actions import ROOT, Action, Machine, checkout, machine, read_yaml

INSTALL, GATE = "Install the kit", "Run the gate"


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Action:
    return Action(checkout(tmp_path_factory.mktemp("action")))


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory, action: Action) -> Machine:
    """A machine on which the action's steps have installed the kit."""
    made = machine(tmp_path_factory.mktemp("machine"))
    output = made.folder / "output"
    paths = {"GITHUB_ACTION_PATH": str(action.folder), "GITHUB_OUTPUT": str(output)}
    done = made.run(action.step("Say what is to be installed")["run"], made.folder, **paths, VERSION="")
    assert done.returncode == 0, done.stderr
    said = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    assert said["requirement"] == ""
    assert re.fullmatch("[0-9a-f]{64}", said["digest"])
    assert said["cache"] == str(made.folder / "pip")
    done = made.run(action.step(INSTALL)["run"], made.folder, **paths, REQUIREMENT=said["requirement"])
    assert done.returncode == 0, done.stderr
    return made


@dataclass
class Job:
    """A job in which the action's gate holds a port."""

    action: Action
    runner: Machine
    folder: Path
    log: str = ""

    def gate(self, **inputs: str) -> int:
        """The status of the gate's step with these inputs, the others left out."""
        values = {f"inputs.{name}": inputs.get(name, "") for name in ("subject", "command", "profile")}
        for name in ("output", "summary"):
            (self.folder / name).write_text("", encoding="utf-8")
        (self.folder / "temp").mkdir(exist_ok=True)
        done = self.runner.run(
            self.action.step(GATE)["run"],
            self.folder / "port",
            **self.action.variables(GATE, values),
            GITHUB_ACTIONS="true",
            GITHUB_OUTPUT=str(self.folder / "output"),
            GITHUB_STEP_SUMMARY=str(self.folder / "summary"),
            RUNNER_TEMP=str(self.folder / "temp"),
        )
        self.log = done.stdout + done.stderr
        return done.returncode

    @property
    def output(self) -> str:
        return (self.folder / "output").read_text(encoding="utf-8")

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text(encoding="utf-8")

    @property
    def has_report(self) -> bool:
        return (self.folder / "temp" / "react-tck-report.json").is_file()


@pytest.fixture(scope="module")
def job(action: Action, runner: Machine, tmp_path_factory: pytest.TempPathFactory) -> Job:
    made = Job(action, runner, tmp_path_factory.mktemp("a job"))
    done = runner.run("react-tck init python port", made.folder)
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.all
def test_a_green_gate(job: Job) -> None:
    if find_spec("dspy") is None:
        pytest.skip("needs dspy")
    assert job.gate(subject="reference", profile="upstream") == 0, job.log

    assert job.output == "status=0\nverdict=conformant\n"
    assert job.summary.startswith("### reference 0.1.0\n\n- **react-module**: conformant: ")
    assert job.has_report


@pytest.mark.all
def test_a_red_gate(job: Job) -> None:
    # Of a profile of which the toy supports nothing.
    assert job.gate(profile="udspy", command="python 'harness.py'") == 1, job.log

    assert job.output == "status=1\nverdict=not-conformant\n"
    assert "not conformant" in job.summary
    assert job.has_report


@pytest.mark.all
def test_a_harness_is_given_to_no_shell(job: Job) -> None:
    assert job.gate(command="python $(touch touched) ; touch touched") == 3, job.log
    assert not (job.folder / "port" / "touched").exists()


@pytest.mark.all
def test_what_is_generated_runs_as_it_stands(job: Job, runner: Machine) -> None:
    """With the kit taken away, the workflow that `init` wrote installs what it was written by, and runs it."""
    port = job.folder / "port"
    # A short profile, of which the toy supports nothing; that is accepted.
    config = (port / "react-tck.toml").read_text(encoding="utf-8")
    assert 'profile = "core"' in config
    (port / "react-tck.toml").write_text(config.replace('profile = "core"', 'profile = "udspy"'), encoding="utf-8")
    assert runner.run("react-tck baseline --write", port).returncode == 0
    assert runner.run("python -m pip uninstall --yes react-tck", port).returncode == 0
    workflow = read_yaml((port / ".github" / "workflows" / "react-tck.yml").read_text(encoding="utf-8"))
    lines = [step["run"] for step in workflow["jobs"]["conformance"]["steps"] if "run" in step]
    assert len(lines) == 3

    for line in lines:
        done = runner.run(line, port)
        assert done.returncode == 0, done.stdout + done.stderr

    assert (port / "react-tck-report.json").is_file()
    (port / "react-tck.baseline.toml").unlink()


@pytest.mark.all
def test_the_script_for_gitlab_runs_as_it_stands(job: Job, runner: Machine, tmp_path: Path) -> None:
    template = read_yaml((ROOT / "react-tck.gitlab-ci.yml").read_text(encoding="utf-8"))["react-tck"]
    (wheel,) = (job.folder / "port").glob("*.whl")
    said = {name: value for name, value in template["variables"].items() if "$" not in value}
    given = {**said, "REACT_TCK": f"./{wheel.name}", "REACT_TCK_FOLDER": "port", "REACT_TCK_PROFILE": "udspy"}
    script = "\n".join(template["script"])

    done = runner.run(script, job.folder, CI_PROJECT_DIR=str(tmp_path), **given)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "NOTHING WAS JUDGED" in done.stdout
    kept = [*template["artifacts"]["paths"], *template["artifacts"]["reports"].values()]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
    done = runner.run(script, job.folder, **{**given, "REACT_TCK": ""})
    assert done.returncode != 0
    assert "say in variables what pip is to install" in done.stderr


@pytest.mark.all
def test_a_hook_runs_as_it_stands(job: Job, runner: Machine) -> None:
    hooks = {hook["id"]: hook for hook in read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    assert set(hooks) == {"react-tck", "react-tck-check"}

    done = runner.run(hooks["react-tck-check"]["entry"], job.folder / "port")
    assert done.returncode == 0, done.stdout + done.stderr
    # The other plays a whole profile; of a short one, in which the toy has nothing to show.
    done = runner.run(f"{hooks['react-tck']['entry']} --profile udspy", job.folder / "port")
    assert done.returncode == 1, done.stdout + done.stderr
