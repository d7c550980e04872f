"""The test as a file: its values as JSON, in the template of a runner."""

import json
import re
from pathlib import Path
from string import Template
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.unit_tests.unit_test import RightCourse, UnitTest
from react_tck.unit_tests.wire import LiteralAnswer, nothing_due

_FOLDER = Path(__file__).parent
#: Each has a template, and nothing else.
RUNNERS = tuple(sorted(file.stem for file in _FOLDER.glob("*.template")))
#: The place for an agent, up to its END; on its first line is what stands there where the agent is known.
_PLACE = re.compile(r"^ *\S+ KNOWN:(?: (?P<known>.*))?\n(?P<open>(?:.*\n)*?.* END)$", re.MULTILINE)
#: What means something in the texts of one language or another; in JSON it can be written otherwise.
_TELLING = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "'`$#"})
#: How deep lists and objects have a line for each of their items.
_DEPTH = 4


class Agent(NamedTuple):
    """Where the function is that builds the user's agent."""

    module: str
    function: str


class _File(Template):
    """A template in which nothing that any of the languages says stands for a value."""

    delimiter = "@@"


def write_test(test: UnitTest, runner: str, agent: Agent | None) -> str:
    """Return the text of the test file; without an agent, it has a place where to build one."""
    template = (_FOLDER / f"{runner}.template").read_text(encoding="utf-8")
    words = re.sub(r"\W+", "_", test.failure.requirement_id).lower()
    return _File(_PLACE.sub(r"\g<known>" if agent else r"\g<open>", template)).substitute(
        (agent or Agent("main", ""))._asdict(),
        header=_write_header(test),
        data=_lay_out(_list_values(test), _DEPTH).translate(_TELLING),
        requirement=test.failure.requirement_id,
        snake=words,
        pascal=words.title().replace("_", ""),
    )


def _write_header(test: UnitTest) -> str:
    due = "\nor:\n".join(_indent_lines(course.due) for course in test.courses)
    said = (
        f"{test.failure.text}\n\ndue:\n{due}\nactual:\n{_indent_lines(test.actual)}\n\n"
        f"With the kit: {test.failure.command}\nWritten by `react-tck repro`; it needs nothing of the kit."
    )
    # What would end the comment, or begin an escape in it, can't.
    return said.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace('"""', "'''")


def _indent_lines(lines: tuple[str, ...]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def _list_values(test: UnitTest) -> dict[str, JsonValue]:
    return {
        "title": test.failure.text.split("\n\n")[0],
        "task": json.loads(test.task),
        "calls": [json.loads(call) for call in test.calls],
        "results": [
            {"tool": each.tool, "error": each.text}
            if each.is_error
            else {"tool": each.tool, "gives": json.loads(each.text)}
            for each in test.results
        ],
        "courses": [_list_course_values(course) for course in test.courses],
        "nothing_due": _list_answer_values(nothing_due(), ()),
    }


def _list_course_values(course: RightCourse) -> JsonValue:
    answers = [_list_answer_values(*each) for each in zip(course.answers, course.shows, strict=True)]
    return {"answers": answers, "due": list(course.due)}


def _list_answer_values(answer: LiteralAnswer, shows: tuple[str, ...]) -> JsonValue:
    headers: list[JsonValue] = [list(pair) for pair in zip(answer.headers[::2], answer.headers[1::2], strict=True)]
    return {"status": answer.status, "headers": headers, "body": answer.body, "shows": list(shows)}


def _lay_out(value: JsonValue, depth: int) -> str:
    """Return its JSON, with a line an item down to this depth."""
    if not value or not depth or not isinstance(value, list | dict):
        return json.dumps(value)
    is_list = isinstance(value, list)
    items = (
        (_lay_out(each, depth - 1) for each in value)
        if isinstance(value, list)
        else (f"{json.dumps(key)}: {_lay_out(each, depth - 1)}" for key, each in value.items())
    )
    inner = ",\n".join(items).replace("\n", "\n ")
    return f"[\n {inner}\n]" if is_list else f"{{\n {inner}\n}}"
