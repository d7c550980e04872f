"""`react-tck.toml`: how a harness is started, and what its author declares."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeGuard

from react_tck.files import CannotRead, read_file
from react_tck.model.requirement import SPECIFICATIONS, THRESHOLDS, Specification, Threshold
from react_tck.texts import UnreadableText, read_toml

#: Read where the user stands, if no subject is named.
FILE = "react-tck.toml"
#: What the option `--start-timeout` is to all processes of a run.
START_TIMEOUT = "REACT_TCK_START_TIMEOUT"

#: Seconds; no clock counts to 10 ** 400.
_LONGEST = 10**9
#: Characters shown of a value that is wrong.
_WIDTH = 200

_TABLES: Mapping[str, tuple[str, ...]] = {
    "subject": ("command", "cwd", "env", "build", "claims", "varies"),
    "run": ("profile",),
    "timeouts": ("initialize", "construct", "call", "calls", "resume", "status", "describe", "dump", "load", "parse"),
    "choices": (),
    "deviations": (),
    "gate": ("strict", "require", "min_must", "flaky", "robustness"),
}

#: What becomes of a row that fails and then doesn't.
Flaky = Literal["", "pass", "fail"]

#: A variable's name, and perhaps its value.
_ENTRY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:=[^\0]*)?", re.DOTALL)


def is_config(subject_name: str) -> bool:
    """Tell whether the name of a subject is that of a configuration file."""
    return subject_name.endswith(".toml")


class ConfigError(ValueError):
    """The file says something it can't mean: the file, the key, and what would be right."""


@dataclass(frozen=True)
class Config:
    """The settings of a `react-tck.toml`, checked, with the default of each key that the file doesn't have."""

    command: tuple[str, ...]
    #: Where the command runs, seen from the file's folder.
    cwd: str = "."
    #: What it finds in its environment besides: NAME, as here, or NAME=value.
    env: tuple[str, ...] = ()
    #: What builds it in the file's folder, once on each worker of a cluster that the folder is sent to.
    build: tuple[str, ...] = ()
    profile: str | None = None
    #: Seconds for each operation that has its own.
    timeouts: Mapping[str, float] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    #: What the harness does otherwise than users of the library have it, each with the requirements it can't judge so.
    deviations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Whether SHOULDs count, the areas of which every MUST is to be judged, how many MUSTs are to pass, and whether
    #: what fails only once fails; empty where nothing is said of that.
    is_strict: bool = False
    require: tuple[str, ...] = ()
    min_must: int = 0
    flaky: Flaky = ""
    #: From which severity on a broken practice counts.
    robustness: Threshold = "critical"
    #: The specifications whose sentences bind the subject; None where its manifest says that.
    claims: tuple[Specification, ...] | None = None
    #: Regular expressions of what its texts say otherwise in each play.
    varies: tuple[str, ...] = ()


#: What files said when a command began; workers have it, and a subject that writes there changes nothing.
_kept: dict[Path, Config] = {}


def keep_config(path: Path, config: Config | None = None) -> None:
    """Read the file now, for all who ask for it while the command lasts; or keep what whoever began it has read.

    Raises:
        ConfigError: if there is no such file, or it can't be understood.
    """
    _kept.pop(path, None)
    _kept[path] = config or read_config(path)


def read_config(path: Path) -> Config:
    """Return what the file at the path says, or said when the command began.

    Raises:
        ConfigError: if there is no such file, or it can't be understood.
    """
    if path in _kept:
        return _kept[path]
    try:
        config = parse_config(read_file(path), str(path))
    except CannotRead as error:
        raise ConfigError(str(error)) from error
    if not (path.absolute().parent / config.cwd).is_dir():
        raise ConfigError(f"{path}: [subject] cwd = {config.cwd!r}; there is no such folder beside the file.")
    return config


def parse_config(text: str, file: str = FILE) -> Config:
    """Return what the text says; `file` is its name in errors.

    Raises:
        ConfigError: if it can't be understood.
    """
    return _ConfigReader(file).parse_file(text)


class _ConfigReader:
    """Knows the file's name, so that every complaint can tell it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def parse_file(self, text: str) -> Config:
        tables = self._parse_tables(text)
        subject, timeouts, gate = tables["subject"], tables["timeouts"], tables["gate"]
        if "command" not in subject:
            raise self._make_error('[subject] needs a command, such as command = ["node", "harness.mjs"]')
        profile = tables["run"].get("profile")
        return Config(
            command=self._read_command("command", subject["command"]),
            cwd=self._read_text("[subject] cwd", subject.get("cwd", ".")),
            env=self._read_env(subject.get("env", [])),
            build=self._read_command("build", subject["build"]) if "build" in subject else (),
            profile=None if profile is None else self._read_text("[run] profile", profile),
            timeouts={key: self._read_seconds(key, value) for key, value in timeouts.items()},
            choices={
                name: self._read_text(f"[choices] {name}", variant) for name, variant in tables["choices"].items()
            },
            deviations={
                what: self._read_texts(f"[deviations] {what!r}", ids) for what, ids in tables["deviations"].items()
            },
            is_strict=self._read_flag("[gate] strict", gate.get("strict", False)),
            require=self._read_texts("[gate] require", gate.get("require", [])),
            min_must=self._read_count("[gate] min_must", gate.get("min_must", 0)),
            flaky=self._read_flaky(gate["flaky"]) if "flaky" in gate else "",
            robustness=self._read_robustness(gate.get("robustness", "critical")),
            claims=self._read_claims(subject["claims"]) if "claims" in subject else None,
            varies=self._varies(subject.get("varies", [])),
        )

    def _parse_tables(self, text: str) -> dict[str, dict[str, Any]]:
        try:
            data = read_toml(text)
        except UnreadableText as error:
            raise self._make_error(str(error)) from error
        for name, table in data.items():
            if name not in _TABLES:
                raise self._make_error(
                    f"there is no table or key {_format_value(name)}; {_suggest_name(name, _TABLES)}"
                )
            if not isinstance(table, dict):
                raise self._make_error(f"{name} is a table: write [{name}] and its keys below")
            for key in table if _TABLES[name] else ():
                if key not in _TABLES[name]:
                    raise self._make_error(
                        f"[{name}] has no key {_format_value(key)}; {_suggest_name(key, _TABLES[name])}"
                    )
        return {name: data.get(name, {}) for name in _TABLES}

    def _read_command(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(map(_is_word, value)):
            raise self._make_error(
                f"[subject] {key} = {_format_value(value)}; it is a list of words, the program first, such as "
                '["node", "harness.mjs"]. There is no shell to split a text'
            )
        return tuple(value)

    def _read_env(self, value: object) -> tuple[str, ...]:
        entries = value if isinstance(value, list) else [value]
        if not isinstance(value, list) or not all(isinstance(e, str) and _ENTRY.fullmatch(e) for e in entries):
            raise self._make_error(
                f"[subject] env = {_format_value(value)}; it is a list of texts, NAME to pass a variable on and "
                'NAME=value to set one, such as ["JAVA_OPTS", "LOG_LEVEL=debug"]'
            )
        return tuple(value)

    def _read_seconds(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LONGEST:
            raise self._make_error(f"[timeouts] {key} = {_format_value(value)}; it is a number of seconds above 0")
        return float(value)

    def _read_text(self, name: str, value: object) -> str:
        if not _is_word(value):
            raise self._make_error(f"{name} = {_format_value(value)}; it is a text")
        return value

    def _read_flag(self, name: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._make_error(f"{name} = {_format_value(value)}; it is true or false")
        return value

    def _read_texts(self, name: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._make_error(f'{name} = {_format_value(value)}; it is a list of texts, such as ["LOOP", "TOOL"]')
        return tuple(value)

    def _read_count(self, name: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._make_error(f"{name} = {_format_value(value)}; it is a whole number, 0 or more")
        return value

    def _read_flaky(self, value: object) -> Flaky:
        match value:
            case "pass" | "fail":
                return value
        raise self._make_error(f'[gate] flaky = {_format_value(value)}; it is "pass" or "fail"')

    def _read_robustness(self, value: object) -> Threshold:
        for threshold in THRESHOLDS:
            if value == threshold:
                return threshold
        raise self._make_error(f"[gate] robustness = {_format_value(value)}; it is one of {_quote_names(THRESHOLDS)}")

    def _varies(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(map(_is_word, value)):
            known = 'it is a list of regular expressions, such as ["created at .*"]'
            raise self._make_error(f"[subject] varies = {_format_value(value)}; {known}")
        return tuple(value)

    def _read_claims(self, value: object) -> tuple[Specification, ...]:
        given = value if isinstance(value, list) else []
        claims = tuple(known for each in given for known in SPECIFICATIONS if each == known)
        if not given or len(claims) != len(given):
            raise self._make_error(
                f"[subject] claims = {_format_value(value)}; it is a list of {_quote_names(SPECIFICATIONS)}"
            )
        return claims

    def _make_error(self, message: str) -> ConfigError:
        end = "" if message.endswith("?") else "."
        return ConfigError(f"{self._file}: {message}{end}")


def _quote_names(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _is_word(value: object) -> TypeGuard[str]:
    """Tell whether it can be a word of a command line, which no NUL can."""
    return isinstance(value, str) and value != "" and "\0" not in value


def _format_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def _suggest_name(wrong: str, known: Iterable[str]) -> str:
    names = tuple(known)
    near = get_close_matches(wrong, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
