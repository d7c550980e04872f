"""The YAML that others' CI reads is what their makers' schemas and actionlint call right."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.cli.commands.init import files_for, load_languages
from tests.support.actions import read_yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = ".github/workflows/react-tck.yml"
#: The examples in the documentation, by the file that each is.
EXAMPLES = dict(
    re.findall(r"```yaml\n# (\S+)\n(.*?)```", (ROOT / "docs" / "CI.md").read_text(encoding="utf-8"), re.DOTALL)
)
#: The repository's own, of which each is a file of this folder.
OWN = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ".github/workflows/release.yml"
SITE = ".github/workflows/site.yml"
USES = EXAMPLES[WORKFLOW].replace("OWNER/react-tck@REF", "./kit")


def complaints(schema: str, *files: Path) -> str:
    if find_spec("check_jsonschema") is None:
        pytest.skip("check-jsonschema isn't installed")
    command = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_what_the_repository_has_shows_and_writes_fits_the_schemas(tmp_path: Path) -> None:
    """Its own workflows, the examples in the documentation, and what `init` writes."""
    workflows = {"example": EXAMPLES[WORKFLOW], **{language: workflow(language) for language in load_languages()}}
    for name, text in {**workflows, "gitlab": EXAMPLES[".gitlab-ci.yml"]}.items():
        (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")

    assert complaints("github-actions", ROOT / "action.yml") == ""
    assert complaints("gitlab-ci", ROOT / "react-tck.gitlab-ci.yml", tmp_path / "gitlab.yml") == ""
    assert complaints("github-workflows", *OWN, *(tmp_path / f"{name}.yml" for name in workflows)) == ""


def test_an_example_names_the_hooks_and_variables_that_there_are() -> None:
    offered = {hook["id"] for hook in read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    used = {hook["id"] for hook in read_yaml(EXAMPLES[".pre-commit-config.yaml"])["repos"][0]["hooks"]}
    assert used == offered

    template = (ROOT / "react-tck.gitlab-ci.yml").read_text(encoding="utf-8")
    example = read_yaml(EXAMPLES[".gitlab-ci.yml"])
    assert all(f"${name}" in template or f"${{{name}:" in template for name in example["variables"])
    assert example.keys() - {"include", "variables"} == read_yaml(template).keys()


def workflow(language: str) -> str:
    text = files_for(language, "ports/mine")[WORKFLOW]
    assert isinstance(text, str)
    return text


def test_a_tag_publishes_what_make_dist_has_tried_out() -> None:
    text = (ROOT / RELEASE).read_text(encoding="utf-8")
    release = read_yaml(text)
    build, publish = release["jobs"]["build"], release["jobs"]["publish"]

    # YAML 1.1 reads the key `on` as a boolean.
    assert list(release.get("on", release.get(True))["push"]) == ["tags"]
    commands = [step["run"] for step in build["steps"] if "run" in step]
    assert commands == ["make nightly", 'make dist TAG="$GITHUB_REF_NAME"']
    assert publish["needs"] == "build"
    [upload] = [step["with"] for step in build["steps"] if step.get("uses", "").startswith("actions/upload-artifact@")]
    download = publish["steps"][0]["with"]
    assert (upload["name"], upload["path"]) == (download["name"], download["path"]) == ("dist", "dist/")


@pytest.mark.parametrize(("file", "environment"), [(RELEASE, "release"), (SITE, "github-pages")])
def test_publishing_takes_no_token_and_names_no_address(file: str, environment: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    workflow = read_yaml(text)
    jobs = workflow["jobs"]

    # Whoever holds `id-token` can publish: the job that runs code of the tree doesn't.
    assert workflow["permissions"] == {"contents": "read"}
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["publish"]
    assert jobs["publish"]["environment"] == environment
    assert all("run" not in step for step in jobs["publish"]["steps"])
    assert "with" not in jobs["publish"]["steps"][-1]
    assert [word for word in ("secrets", "password", "://") if word in text] == []


@pytest.mark.parametrize("wrong", ["", "artifact", "verdict"])
def test_actionlint(wrong: str, tmp_path: Path) -> None:
    """It sees what a workflow gives the action, and takes from it, too."""
    if shutil.which("actionlint") is None:
        pytest.skip("there is no actionlint here")
    (tmp_path / ".git").mkdir()
    (tmp_path / "kit").mkdir()
    shutil.copy(ROOT / "action.yml", tmp_path / "kit")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    uses = USES.replace(f" {wrong}:", " nosuch:").replace(f".{wrong} ", ".nosuch ") if wrong else USES
    (folder / "uses.yml").write_text(uses, encoding="utf-8")
    for file in OWN:
        shutil.copy(file, folder)
    for language in load_languages():
        (folder / f"{language}.yml").write_text(workflow(language), encoding="utf-8")

    done = subprocess.run(("actionlint",), cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (done.returncode == 0) == (not wrong), done.stdout + done.stderr
