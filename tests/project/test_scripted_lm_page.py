"""What docs/SCRIPTED_LM.md shows is what runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from react_tck.fakes.server import CuedEndpoint, LMEndpoint
from react_tck.model.cue import CueSheet
from react_tck.model.lm import LMRequest
from react_tck.scripts import read_script
from tests.support.documents import written

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "SCRIPTED_LM.md").read_text(encoding="utf-8")
EXAMPLES = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "examples" / "agent_tests").glob("test_*.py"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", blocks("python"))
def test_every_test_shown_is_one_of_the_examples(block: str) -> None:
    assert block in EXAMPLES


def test_the_files_shown_can_be_served_and_say_the_same(tmp_path: Path) -> None:
    read = []
    for kind in ("yaml", "json"):
        [text] = blocks(kind)
        file = tmp_path / f"replies.{kind}"
        file.write_text(text, encoding="utf-8")
        sheet = read_script(file)
        assert isinstance(sheet, CueSheet)
        read.append(sheet.replies)

    assert read[0] == read[1]


def test_every_method_shown_is_there() -> None:
    shown = set(re.findall(r"`lm\.(\w+)", PAGE))
    assert shown >= {name for name in vars(CuedEndpoint) if not name.startswith("_")} - {"close"}
    assert [
        name for name in shown if not hasattr(CuedEndpoint, name) and name not in ("base_url", "api_key", "root_url")
    ] == []
    assert "complaints" in vars(LMEndpoint)


def test_every_part_of_a_request_shown_is_there() -> None:
    assert {*re.findall(r"`\.(\w+)`", PAGE), "messages"} <= set(LMRequest.model_fields)


def test_every_row_beside_other_fakes_names_a_test_that_there_is() -> None:
    table = PAGE.partition("## Beside other fakes")[2].partition("|---|")[2]
    rows = [row.split("|")[-2].strip(" `").split("::") for row in table.splitlines()[1:]]
    assert len(rows) >= 14
    for file, name in rows:
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"


#: What the first file loses, and what its test says then.
_FORGOTTEN = 'messages.append({"role": "tool", "tool_call_id": call.id, "content": str(args["a"] + args["b"])})'


@pytest.mark.parametrize("forgets", [False, True])
def test_the_first_file_runs_in_an_empty_folder(forgets: bool, tmp_path: Path) -> None:
    pytest.importorskip("openai")
    file = written(tmp_path, "docs/SCRIPTED_LM.md") / "test_my_agent.py"
    if forgets:
        whole = file.read_text(encoding="utf-8")
        assert _FORGOTTEN in whole
        file.write_text(whole.replace(_FORGOTTEN, "pass"), encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file.name]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert done.returncode == (1 if forgets else 0), done.stdout
    told = "the tool call 'call_1' is not answered directly after its turn"
    assert (told in done.stdout) == forgets, done.stdout
