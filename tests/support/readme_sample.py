"""The samples of output in README.md, and its pictures; `python -m tests.support.readme_sample` writes them.

The pictures are taken by Chromium, where there is one.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

README = Path(__file__).parents[2] / "README.md"
#: A whole run, and that of a row that fails in it.
RUN = "react-tck run dspy --profile all"
ROW = """react-tck run dspy -k 'read with certainty [{"a": 2 "b": 3}]'"""
#: Characters of a line that are shown.
_WIDTH = 110


def with_sample(text: str, name: str, command: str, output: str) -> str:
    """Put the command and its output in the place of the sample of that name; long lines are cut."""
    before, start, rest = text.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    lines = [line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…" for line in output.strip().splitlines()]
    return f"{before}{start}\n```\n$ {command}\n" + "\n".join(lines) + f"\n```\n\n{end}{after}"


def print_run(*more: str) -> str:
    """Run what takes a minute; the seconds that it took, and what stands behind them, are those of whoever tries."""
    printed = re.sub(r" in \d+ s +", f" in a minute{' ' * 16}", _print_output(" ".join((f"{RUN} -n 2", *more))))
    return re.sub(r"^took .*\n", "", printed, flags=re.MULTILINE)


def print_row() -> str:
    """Run the row that fails, and leave out the transcript of the episode."""
    printed = _print_output(ROW)
    failure = printed[printed.index("\nERR-002 (") : printed.index("\ncase ")].strip()
    reproduce, rest = re.findall(r"^reproduce: .*$", printed, re.MULTILINE)[0], printed.rpartition("\n\n")[2]
    return f"{failure}\n…\n{reproduce}\n\n{rest}"


def _print_output(command: str) -> str:
    words = [sys.executable, "-m", *shlex.split(command.replace("react-tck", "react_tck", 1))]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def take_pictures(page: Path, chromium: str) -> None:
    """Take pictures of a run's page: of its first screen, and of an episode."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=os.getuid() != 0)
        shown = browser.new_page(viewport={"width": 1000, "height": 595})
        shown.goto(page.as_uri())
        shown.screenshot(path=README.with_name("docs") / "page.png")
        shown.set_viewport_size({"width": 1200, "height": 900})
        shown.goto(f"{page.as_uri()}#cell=dspy.ERR-002")
        shown.locator(".course").first.screenshot(path=README.with_name("docs") / "episode.png")
        browser.close()


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        html = Path(made, "page.html")
        sample = with_sample(README.read_text(encoding="utf-8"), "run", RUN, print_run("--report", f"html={html}"))
        README.write_text(with_sample(sample, "row", ROW, print_row()), encoding="utf-8")
        if found := shutil.which("chromium"):
            take_pictures(html, found)
