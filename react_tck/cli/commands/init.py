"""`react-tck init LANGUAGE [DIR]`: a working harness to start from."""

import json
import os
import shlex
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from string import Template
from typing import Any

import click

import react_tck
from react_tck.cli.mistakes import Mistake
from react_tck.distribution import kit_for_others
from react_tck.files import CannotWrite, make_folder
from react_tck.files import write as write_file
from react_tck.reports.printing import print_text
from react_tck.subjects.config import FILE

TEMPLATES = Path(react_tck.__file__).parent / "templates"


class UnknownLanguage(Mistake):
    """There is no template for the language."""


def _complete_language(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in load_languages() if name.startswith(incomplete)]


@click.command()
@click.argument("language", metavar="LANGUAGE", shell_complete=_complete_language)
@click.option("--kind", type=click.Choice(["loop", "native"]), help="native: an agent that calls tools natively")
@click.argument("folder", type=click.Path(), metavar="[DIR]", default="react-tck-harness")
def command(language: str, kind: str | None, folder: str) -> int:
    """Write a working harness to start from, and say what to do next.

    LANGUAGE is python, node, go, rust, elixir or ruby; DIR is react-tck-harness unless it is given. At a terminal
    it asks for the kind of agent; docs/KINDS.md has more of them.
    """
    files = files_for(f"{language}-native" if (kind or _ask_kind(language)) == "native" else language, folder)
    write_files(files, Path(folder))
    print_text("\n".join(_next_steps(files, folder)))
    return 0


def _ask_kind(language: str) -> str:
    if f"{language}-native" not in load_languages() or not sys.stdin.isatty():
        return "loop"
    return "native" if click.confirm("Does your agent offer tools in the request, and read tool_calls?") else "loop"


def load_languages() -> Mapping[str, Mapping[str, Any]]:
    """Return what is told of each language, by its name; of another kind in it, such as `go-native`, what isn't said
    is as in the language itself.
    """
    told = tomllib.loads((TEMPLATES / "languages.toml").read_text(encoding="utf-8"))
    return {name: {**told[name.partition("-")[0]], **facts} for name, facts in told.items()}


def files_for(language: str, folder: str) -> dict[str, str | bytes]:
    """Return what is in the files by their places in the folder, the harness first.

    Raises:
        UnknownLanguage: if there is no template for it.
    """
    known = load_languages()
    if language not in known:
        raise UnknownLanguage(f"There is no template for {language!r}; there are {', '.join(known)}.")
    facts, kit, seen = known[language], kit_for_others(), _name_folder(folder)
    roles = {**facts["files"], **dict.fromkeys(kit.files, "the kit itself, which is to be had nowhere else yet")}
    values = {
        "title": facts["title"],
        "harness": next(iter(facts["files"])),
        "files": "".join(f"| `{name}` | {role} |\n" for name, role in roles.items()),
        "needs": facts["needs"],
        "setup": facts["setup"].lstrip("\n"),
        "folder": _quote_for_workflow(seen),
        "report": _quote_for_workflow(f"{seen}/react-tck-report.json"),
        "kit": shlex.quote(kit.requirement),
    }
    texts: dict[str, str | bytes] = {name: find_template(language, name) for name in (*facts["files"], FILE)}
    texts["README.md"] = Template(find_template("", "readme.template")).substitute(values)
    texts[".github/workflows/react-tck.yml"] = Template(find_template("", "workflow.template")).substitute(values)
    return {**texts, **kit.files}


def write_files(files: Mapping[str, str | bytes], folder: Path) -> None:
    """Write all the files, or none if one of them is there already.

    Raises:
        CannotWrite: if one is there, or can't be written.
    """
    if folder.exists() and not folder.is_dir():
        raise CannotWrite(f"{folder} is there already, and no folder; nothing was written.")
    for name in files:
        # lexists: a link to nowhere is there too.
        if os.path.lexists(folder / name):
            raise CannotWrite(f"{folder / name} is there already; nothing was written. Name another folder.")
    written: list[Path] = []
    try:
        for name, content in files.items():
            make_folder((folder / name).parent)
            write_file(folder / name, content)
            written.append(folder / name)
    except CannotWrite:
        for path in written:
            path.unlink()
        raise


def _next_steps(files: Iterable[str], folder: str) -> tuple[str, ...]:
    harness = next(iter(files))
    where, enter = (folder, f"cd {shlex.quote(folder)} && ") if Path(folder) != Path() else ("this folder", "")
    return (
        f"Wrote {', '.join(files)} into {where}. Now:",
        f"  {enter}react-tck check && react-tck run",
        f"  then put your library in place of the toy in {harness}; README.md goes on from there.",
        f"The documents, KINDS.md first, are in {Path(react_tck.__file__).parent / 'docs'}.",
    )


def _name_folder(folder: str) -> str:
    """Return the folder as the workflow names it; where a folder elsewhere will be in its repository is not known."""
    return "." if PurePath(folder).is_absolute() or ".." in PurePath(folder).parts else PurePath(folder).as_posix()


def _quote_for_workflow(text: str) -> str:
    """Return the text as a YAML string in which GitHub finds no expression."""
    return json.dumps(text.replace("${{", "${{ '${{' }}"), ensure_ascii=False)


def find_template(language: str, name: str) -> str:
    """Return a file's text; what a kind of agent has no file of its own for is the language's."""
    own = TEMPLATES / language / name
    return (own if own.exists() else TEMPLATES / language.partition("-")[0] / name).read_text(encoding="utf-8")
