"""The table `[choices]` of a `react-tck.toml`, brought up to date line by line: all else in the file stays as it is."""

import json
import re
from collections.abc import Iterator, Mapping

from react_tck.subjects.config import FILE, ConfigError
from react_tck.texts import read_toml

_HEAD = re.compile(r"\s*\[\s*choices\s*\]\s*(?:#.*)?")
_LINE = re.compile(
    r"""(?P<head>\s*(?P<quote>["']?)(?P<name>[\w-]+)(?P=quote)\s*=\s*)(?:"[^"\\]*"|'[^']*')(?P<rest>\s*(?:\#.*)?)"""
)


def with_choices(text: str, choices: Mapping[str, str], file: str = FILE) -> str:
    """Return the text with these choices in its table, among those that it has; `file` is its name in errors.

    Raises:
        ConfigError: if the table is written in a way in which a line can't be changed by itself.
    """
    lines = text.rstrip("\n").split("\n")
    told = read_toml(text)
    missing = _render_lines({name: choices[name] for name in choices.keys() - told.get("choices", {}).keys()})
    start = next((number for number, line in enumerate(lines, 1) if _HEAD.fullmatch(line)), None)
    if start is None:
        made = [*lines, "", "[choices]", *missing]
    else:
        end = _find_table_end(lines, start)
        made = [*lines[:start], *(_change_line(line, choices) for line in lines[start:end]), *missing, *lines[end:]]
    changed = "\n".join(made).lstrip("\n") + "\n"
    if not _has_content(changed, {**told, "choices": {**told.get("choices", {}), **choices}}):
        sample = next(_render_lines(choices), "")
        raise ConfigError(
            f"{file}: [choices] can't be changed line by line; give it a head and each choice a line of its own, "
            f"such as {sample}, and try again."
        )
    return changed


def find_choice_line(text: str, name: str) -> int | None:
    """Return the number of the line that declares the choice; none where no line of the table does."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines, 1) if _HEAD.fullmatch(line)), len(lines))
    table = enumerate(lines[start : _find_table_end(lines, start)], start + 1)
    found = ((number, _LINE.fullmatch(line)) for number, line in table)
    return next((number for number, choice in found if choice and choice["name"] == name), None)


def _find_table_end(lines: list[str], start: int) -> int:
    """Behind the last choice of the table that begins there: what follows may be said of the next table."""
    end = start
    for number, line in enumerate(lines[start:], start):
        if line.lstrip().startswith("["):
            break
        if _LINE.fullmatch(line):
            end = number + 1
    return end


def _change_line(line: str, choices: Mapping[str, str]) -> str:
    found = _LINE.fullmatch(line)
    if found is None or found["name"] not in choices:
        return line
    return f"{found['head']}{_render_value(choices[found['name']])}{found['rest']}"


def _render_lines(choices: Mapping[str, str]) -> Iterator[str]:
    yield from (f"{name} = {_render_value(variant)}" for name, variant in sorted(choices.items()))


def _render_value(variant: str) -> str:
    return json.dumps(variant, ensure_ascii=False)


def _has_content(text: str, wanted: Mapping[str, object]) -> bool:
    try:
        return read_toml(text) == wanted
    except ValueError:
        return False
