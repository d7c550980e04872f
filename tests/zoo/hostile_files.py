"""Hostile files: configurations, cases and scripts as nobody should write them, and what each is answered with."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from react_tck.fakes.tools import TOOLBOX
from react_tck.model.report import Finding, KitInfo, SubjectInfo
from tests.support.hand_made import played

Bytes = bytes | Callable[[Path], None]

_COMMAND = 'command = ["harness"]\n'
_SUBJECT = f"[subject]\n{_COMMAND}"


@dataclass(frozen=True)
class HostileFile:
    """A file, the command it is given to, and what has to be said of it."""

    name: str
    #: Its bytes; or what makes it.
    holds: Bytes
    words: tuple[str, ...]
    said: str
    status: int = 2


#: Nine in nine in nine …
_ALIASES = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{number}: &a{number} [{','.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, 9)
)


def zeros(path: Path) -> None:
    """A file without an end."""
    path.symlink_to("/dev/zero")


def everything(path: Path) -> None:
    """All files of the machine."""
    path.symlink_to("/")


def case(**changes: Any) -> bytes:
    """A case as fuzz keeps it, but for some values, whose places are apart by two underscores."""
    episode, _ = played()
    kept = Finding(
        kit=KitInfo(version="1"),
        subject=SubjectInfo(name="somebody", version="1"),
        requirements=("LOOP-001",),
        episode=episode,
    )
    data = kept.model_dump(mode="json")
    for place, value in changes.items():
        *path, last = (int(part) if part.isdigit() else part for part in place.split("__"))
        at: Any = data
        for part in path:
            at = at[part]
        at[last] = value
    return json.dumps(data).encode()


def named(name: str) -> list[Any]:
    """Two tools, the second of that name."""
    add = TOOLBOX["add"].model_dump(mode="json")
    return [add, {**add, "name": name}]


_DEEP = 100_000
_INJECTION = 'x"\n      Then nothing\n\n    @LOOP-001 @must\n    Scenario: injected\n      Given "y'


def _toml(said: str, holds: Bytes | str, status: int = 2) -> HostileFile:
    data = holds.encode() if isinstance(holds, str) else holds
    return HostileFile("a.toml", data, ("run", "a.toml"), said, status)


def _case(said: str, holds: Bytes, *words: str, status: int = 2) -> HostileFile:
    return HostileFile("case.json", holds, words or ("replay", "case.json", "reference"), said, status)


def _features(said: str, holds: Bytes) -> HostileFile:
    words = ("run", "python:tests.support.cheaters:inert", "--features", "own.feature")
    return HostileFile("own.feature", holds, words, said)


def _frozen(said: str, holds: bytes, *more: str) -> HostileFile:
    return _case(said, holds, "replay", "case.json", *(more or ("--freeze", "A title")))


def _script(said: str, holds: Bytes) -> HostileFile:
    return HostileFile("script.json", holds, ("serve", "script.json"), said)


def _yaml(said: str, holds: str) -> HostileFile:
    return HostileFile("script.yaml", holds.encode(), ("serve", "script.yaml"), said)


def _baseline(said: str, holds: str) -> HostileFile:
    words = ("run", "python:tests.support.cheaters:inert", "-k", "no such title")
    return HostileFile("react-tck.baseline.toml", holds.encode(), words, said)


def _report(said: str, holds: str) -> HostileFile:
    return HostileFile("report.json", holds.encode(), ("compare", "report.json", "report.json"), said)


FILES: Mapping[str, HostileFile] = {
    "a configuration that is a folder": _toml("a.toml can't be read: Is a directory", Path.mkdir),
    "a configuration without an end": _toml("a.toml can't be read: it is larger than 16 MB", zeros),
    "a configuration in UTF-16": _toml("a.toml is not UTF-8: invalid start byte at byte 0", _SUBJECT.encode("utf-16")),
    "a configuration of zeros": _toml("a.toml: this is not TOML: ", bytes(20)),
    "a configuration nested 100,000 deep": _toml("a.toml: this is nested too deeply", "a = " + "[" * _DEEP),
    "a key of 50,000 parts": _toml(
        "a.toml: line 3 has a key of more than 100 parts", f"{_SUBJECT}{'a.' * 50_000}a = 1"
    ),
    "a table of 50,000 parts": _toml("a.toml: line 3 has a key", f"{_SUBJECT}[{'a.' * 50_000}a]"),
    "a key of a million letters": _toml("[subject] has no key 'xxx", f"{_SUBJECT}{'x' * 1_000_000} = 1"),
    "a flag of a million letters": _toml("[gate] strict = 'xxx", f"{_SUBJECT}[gate]\nstrict = '{'x' * 1_000_000}'"),
    "a number of 5,000 digits": _toml(
        "a.toml: this is not TOML: Exceeds the limit", f"{_SUBJECT}[timeouts]\ncall = {'1' * 5000}"
    ),
    "a timeout of 10 ** 6000": _toml(
        "a.toml: this holds a whole number of 20000 bits", f"{_SUBJECT}[timeouts]\ncall = 0x{'f' * 5000}"
    ),
    "a timeout that is a text": _toml("[timeouts] call = '1'; it is a number", f"{_SUBJECT}[timeouts]\ncall = '1'"),
    "a command that is a text": _toml("[subject] command = 'a b'; it is a list", "[subject]\ncommand = 'a b'"),
    "a command with a NUL": _toml("[subject] command = ['a\\x00b']", '[subject]\ncommand = ["a\\u0000b"]'),
    "a command that doesn't exist": _toml("can't be started: harness: No such file or directory", _SUBJECT, status=3),
    "a folder that doesn't exist": _toml("[subject] cwd = 'gone'; there is no such folder", f"{_SUBJECT}cwd = 'gone'"),
    "a folder that is a file": _toml("[subject] cwd = 'a.toml'; there is no such", f"{_SUBJECT}cwd = 'a.toml'"),
    "a folder that is a list": _toml("[subject] cwd = ['a']; it is a text", f"{_SUBJECT}cwd = ['a']"),
    "a folder with a NUL": _toml("[subject] cwd = 'a\\x00'; it is a text", f'{_SUBJECT}cwd = "a\\u0000"'),
    "tables where one is due": _toml("subject is a table: write [subject]", f"[{_SUBJECT}".replace("]\n", "]]\n", 1)),
    "a key that moves the cursor": _toml("no table or key '\\x1b[2J'", f'{_SUBJECT}["\\u001B[2J"]\n'),
    "a choice that doesn't exist": _toml("[choices] there is no choice 'a\\nb'", f'{_SUBJECT}[choices]\n"a\\nb" = "c"'),
    "a choice that is a number": _toml(
        "[choices] tool-error = 1; it is a text", f"{_SUBJECT}[choices]\ntool-error = 1"
    ),
    "a deviation from what there isn't": _toml(
        "'waits' names 'LOOP-999 all', and there is no such requirement",
        f'{_SUBJECT}[deviations]\nwaits = ["LOOP-999 all"]',
    ),
    "features without an end": _features("own.feature can't be read: it is larger than 16 MB", zeros),
    "features that nobody writes": _features("nothing came out of the pipe for 5 seconds", os.mkfifo),
    "features in a folder that holds all there is": _features("it holds more than 20000 files", everything),
    "features that are no text": _features("own.feature is not UTF-8: invalid start byte at byte 9", b"Feature: \xff"),
    "a profile that doesn't exist": _toml(
        "there is no profile 'all of them'", f"{_SUBJECT}[run]\nprofile='all of them'"
    ),
    "a case that is a folder": _case("case.json can't be read: Is a directory", Path.mkdir),
    "a case without an end": _case("case.json can't be read: it is larger than 16 MB", zeros),
    "a case that isn't UTF-8": _case("case.json is not UTF-8: invalid start byte at byte 1", b'"\xff"'),
    "a case of nothing": _case("case.json is not a case that `react-tck fuzz` has written", b""),
    "half a case": _case("case.json is not a case that `react-tck fuzz` has written", case()[:400]),
    "a case that is a list": _case("case.json is not a case that `react-tck fuzz` has written", b"[]"),
    "a case nested 100,000 deep": _case("this is nested too deeply", b"[" * _DEEP + b"]" * _DEEP),
    "inputs nested 100,000 deep": _case(
        "this is nested too deeply",
        case(episode__case__invocations__0__inputs={"question": "DEEP"}).replace(
            b'"DEEP"', b"[" * _DEEP + b"]" * _DEEP
        ),
    ),
    "inputs nested 150 deep": _case(
        "",
        case(episode__case__invocations__0__inputs={"question": "DEEP"}).replace(b'"DEEP"', b"[" * 150 + b"]" * 150),
        status=0,
    ),
    "half a surrogate pair": _case(
        "case \\ud800\n", case(episode__case__id="HALF").replace(b"HALF", b"\\ud800"), status=0
    ),
    "a number that is infinite": _case(
        "is not a case", case(episode__case__invocations__0__inputs={"question": "N"}).replace(b'"N"', b"1e999")
    ),
    "a requirement that doesn't exist": _case("names the requirement 'LOOP-999'", case(requirements=["LOOP-999"])),
    "a negative max_steps": _case("max_steps Input should be greater", case(episode__case__options={"max_steps": -1})),
    "a dialect that doesn't exist": _case(
        "nothing is violated", case(episode__case__options={"adapter": "klingon"}), status=0
    ),
    "a case of no requirement": _case(
        "nothing is violated; it was kept without a violation in",
        case(requirements=[], episode__case__options={"adapter": "klingon"}),
        status=0,
    ),
    "a signature that is none": _case("", case(episode__case__signature__arrow="->->"), status=0),
    "a tool whose name is markup": _case(
        "tools: add, a[/bold]\n", case(episode__case__tools=named("a[/bold]")), status=0
    ),
    "a tool whose name is more lines": _case(
        "tools: add, a\\n 99 outcome ok\n", case(episode__case__tools=named("a\n 99 outcome ok")), status=0
    ),
    "a tool's name that moves the cursor": _case(
        "tools: add, a\\x1b[2J\n", case(episode__case__tools=named("a\x1b[2J")), status=0
    ),
    "a subject whose name is markup": _case("[/bold]", case(subject__name="[/bold]\n"), status=0),
    "a name that is a scenario": _frozen(
        "no sentence can hold the name 'x\"\\n", case(episode__case__tools=named(_INJECTION))
    ),
    "a behaviour's name that is a scenario": _frozen(
        "no sentence can hold the name 'x\"\\n",
        case(episode__behaviours={_INJECTION: [{"kind": "returns", "value": 1}]}),
    ),
    "a signature of a type that there isn't": _frozen(
        "no sentence can hold the signature 'question -> answer: Path': 'Path' is not a type",
        case(episode__case__signature__arrow="question -> answer: Path"),
    ),
    "a title that is a scenario": _frozen(
        "isn't words on one line", case(), "--freeze", "A title\n      Then nothing\n\n    Scenario: injected"
    ),
    "a title of nothing": _frozen("The title '' isn't words", case(), "--freeze", ""),
    "a mutant that doesn't exist": _frozen(
        "There is no mutant 'a\\nb'", case(), "--freeze", "A title", "--kills", "a\nb"
    ),
    "a case in which the harness broke": _frozen("The case violates no requirement", case(requirements=[])),
    "a script that is a folder": _script("script.json can't be read: Is a directory", Path.mkdir),
    "a script without an end": _script("script.json can't be read: it is larger than 16 MB", zeros),
    "a script that isn't UTF-8": _script("script.json is not UTF-8", b'"\xff"'),
    "a script nested 100,000 deep": _script("recursion limit exceeded", b"[" * _DEEP + b"]" * _DEEP),
    "a baseline nested 100,000 deep": _baseline("this is nested too deeply", "a = " + "[" * _DEEP),
    "a baseline with a number of 5,000 digits": _baseline("this is not TOML: Exceeds the limit", f"a = {'1' * 5000}"),
    "a report nested 100,000 deep": _report("this is nested too deeply", "[" * _DEEP),
    "a report nested 500 deep": _report("this holds values more than 200 deep", "[" * 500 + "]" * 500),
    "a report with a number of 5,000 digits": _report("this is not JSON: Exceeds the limit", "1" * 5000),
    "a script nested 100,000 deep in YAML": _yaml("this is nested too deeply to be read as YAML", "[" * _DEEP),
    "a script with a number of 5,000 digits": _yaml("this is not YAML: Exceeds", f"replies: [{{says: {'1' * 5000}}}]"),
    "a script with a number of 5,000 hexadecimal digits": _yaml(
        "this holds a whole number of 20000 bits", f"replies: [{{says: 0x{'f' * 5000}}}]"
    ),
    "a script with a 99th of a month": _yaml("this is not YAML: month must be", "replies: [{says: 2001-99-99}]"),
    "a script of 400 bytes of aliases": _yaml("its aliases make more than 100000 values", _ALIASES),
    "a script whose keys are aliases": _yaml("a key is a text", f"{_ALIASES}? *a8\n: 1"),
    "a script that stands in itself": _yaml("an alias stands in itself", "replies: &a [*a]"),
    "a script with 10,000 mistakes": _script("steps[0] is {}: ", json.dumps({"steps": [{}] * 10_000}).encode()),
    "a script in a dialect that moves the cursor": _script(
        "no dialect '\\x1b[2J'", b'{"steps": [], "dialects": ["\\u001b[2J"]}'
    ),
}
