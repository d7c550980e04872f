"""The sample output in README.md; `python -m tests.support.readme_sample` writes it."""

import shlex
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
COMMAND = """react-tck run dspy -k 'read with certainty [{"a": 2 "b": 3}]'"""
_START, _END = "<!-- sample -->\n", "<!-- /sample -->"
#: Characters of a line that are shown.
_WIDTH = 110


def with_sample(text: str, output: str) -> str:
    """The text with the output in the place of the sample; long lines are cut."""
    before, start, rest = text.partition(_START)
    _, end, after = rest.partition(_END)
    lines = [line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…" for line in output.strip().splitlines()]
    return f"{before}{start}\n```\n$ {COMMAND}\n" + "\n".join(lines) + f"\n```\n\n{end}{after}"


def sample_output() -> str:
    """What the command prints of the failure, without the transcript of the episode; and both verdicts."""
    words = [sys.executable, "-m", *shlex.split(COMMAND.replace("react-tck", "react_tck", 1))]
    printed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    failure = printed[printed.index("\nERR-002 (") : printed.index("\ncase ")].strip()
    (reproduce,) = [line for line in printed.splitlines() if line.startswith("reproduce: ")]
    verdicts = printed.rstrip().partition("\nledger: ")[2].partition("\n")[2]
    return f"{failure}\n…\n{reproduce}\n…\n{verdicts}"


if __name__ == "__main__":
    README.write_text(with_sample(README.read_text(encoding="utf-8"), sample_output()), encoding="utf-8")
