"""`react-tck.toml`: how a harness is started, and what its author declares."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

#: Read where the user stands, if no subject is named.
FILE = "react-tck.toml"

_TABLES: Mapping[str, tuple[str, ...]] = {
    "subject": ("command", "cwd"),
    "run": ("profile",),
    "timeouts": ("initialize", "construct", "call", "calls", "resume", "status", "describe", "dump", "load", "parse"),
    "choices": (),
}


def is_config(subject_name: str) -> bool:
    """Whether the name of a subject is that of a configuration file."""
    return subject_name.endswith(".toml")


class ConfigError(ValueError):
    """The file says something it can't mean: the file, the key, and what would be right."""


@dataclass(frozen=True)
class Config:
    """What the file says."""

    command: tuple[str, ...]
    #: Where the command runs, seen from the file's folder.
    cwd: str = "."
    profile: str | None = None
    #: Seconds for each operation that has its own.
    timeouts: Mapping[str, float] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)


def read_config(path: Path) -> Config:
    """What the file at the path says.

    Raises:
        ConfigError: if there is no such file, or it can't be understood.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: {error.reason} at byte {error.start}.") from error
    return parse_config(text, str(path))


def parse_config(text: str, file: str = FILE) -> Config:
    """What the text says; `file` is its name in errors.

    Raises:
        ConfigError: if it can't be understood.
    """
    return _ConfigReader(file).config(text)


class _ConfigReader:
    """Knows the file's name, so that every complaint can tell it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def config(self, text: str) -> Config:
        tables = self._tables(text)
        subject, timeouts = tables["subject"], tables["timeouts"]
        if "command" not in subject:
            raise self._error('[subject] needs a command, such as command = ["node", "harness.mjs"]')
        profile = tables["run"].get("profile")
        return Config(
            command=self._command(subject["command"]),
            cwd=self._text("[subject] cwd", subject.get("cwd", ".")),
            profile=None if profile is None else self._text("[run] profile", profile),
            timeouts={key: self._seconds(key, value) for key, value in timeouts.items()},
            choices={name: self._text(f"[choices] {name}", variant) for name, variant in tables["choices"].items()},
        )

    def _tables(self, text: str) -> dict[str, dict[str, Any]]:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._error(f"this is not TOML: {error}") from error
        for name, table in data.items():
            if name not in _TABLES:
                raise self._error(f"there is no table or key {name!r}; {_right(name, _TABLES)}")
            if not isinstance(table, dict):
                raise self._error(f"{name} is a table: write [{name}] and its keys below")
            for key in table if _TABLES[name] else ():
                if key not in _TABLES[name]:
                    raise self._error(f"[{name}] has no key {key!r}; {_right(key, _TABLES[name])}")
        return {name: data.get(name, {}) for name in _TABLES}

    def _command(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
            raise self._error(
                f"[subject] command = {value!r}; it is a list of words, the program first, such as "
                '["node", "harness.mjs"]. There is no shell to split a text'
            )
        return tuple(value)

    def _seconds(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise self._error(f"[timeouts] {key} = {value!r}; it is a number of seconds above 0")
        return float(value)

    def _text(self, name: str, value: object) -> str:
        if not isinstance(value, str) or not value:
            raise self._error(f"{name} = {value!r}; it is a text")
        return value

    def _error(self, message: str) -> ConfigError:
        end = "" if message.endswith("?") else "."
        return ConfigError(f"{self._file}: {message}{end}")


def _right(wrong: str, known: Iterable[str]) -> str:
    names = tuple(known)
    near = get_close_matches(wrong, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
