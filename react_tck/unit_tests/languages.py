"""The test in a language: its texts as that language quotes them, in the template of its runner."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from textwrap import indent
from typing import NamedTuple

from react_tck.unit_tests.unit_test import RightCourse, UnitTest
from react_tck.unit_tests.wire import LiteralAnswer, nothing_due

#: What javac takes in one constant, in bytes at the most; a character has three.
_CONSTANT = 65535 // 3


class Agent(NamedTuple):
    """Where the function is that builds the user's agent."""

    module: str
    function: str


class _File(Template):
    """A template in which nothing that any of the languages says stands for a value."""

    delimiter = "@@"


@dataclass(frozen=True)
class Language:
    """How one runner's language writes the values of a test."""

    name: str
    #: A text, and a list of what is written already.
    quote: Callable[[str], str]
    #: How the test is called.
    named: Callable[[str], str]
    #: Around the items of a list, of an answer and of a result.
    brackets: tuple[str, str] = ("[", "]")
    answer: tuple[str, str] = ("[", "]")
    row: tuple[str, str] = ("[", "]")
    indent: str = "  "
    #: A course: its answers, and what is due in it. `@@name` is the test's.
    course: str = "[[\n@@answers  ], [\n@@due  ]]"
    comment: str = ""
    #: Where the agent isn't known: what to fill in. `@@module` and `@@function` say where it is.
    open_place: str = ""
    known_place: str = ""
    #: How the agent is called by its own name, where nothing gives it another.
    called: str = ""
    #: Whether the last item of several lines is followed by a comma.
    ends_with_comma: bool = True

    def write_test(self, test: UnitTest, agent: Agent | None) -> str:
        """The text of the test file; without an agent, it has a place where to build one."""
        template = Path(__file__).with_name(f"{self.name}.template").read_text(encoding="utf-8")
        return _File(template).substitute(self._fill_values(test, agent))

    def _fill_values(self, test: UnitTest, agent: Agent | None) -> Mapping[str, str]:
        title = test.failure.text.split("\n\n")[0]
        words = re.sub(r"\W+", "_", test.failure.requirement_id).lower()
        rows = ((each.tool, "error" if each.is_error else "result", each.text) for each in test.results)
        return {
            "header": self._write_header(test),
            "agent": self._write_agent(agent),
            "task": self.quote(test.task),
            "calls": self._write_list(map(self.quote, test.calls)),
            "courses": self._write_courses(test.courses, self.named(words)),
            "nothing_due": self._write_answer(nothing_due(), ()),
            "results": self._write_lines(self._wrap_items(self.row, map(self.quote, row)) for row in rows),
            "title": self.quote(title),
            "message": self.quote(title),
            "name": self.named(words),
            "method": words.replace("_", ""),
            "package": agent.module if agent else "main",
            "build": _File(self.called).substitute(agent._asdict()) if agent else "buildAgent",
        }

    def _write_agent(self, agent: Agent | None) -> str:
        if agent is None:
            return self.open_place
        return _File(self.known_place).substitute(agent._asdict())

    def _write_courses(self, courses: Iterable[RightCourse], name: str) -> str:
        texts = (
            _File(self.course).substitute(
                name=name,
                answers=indent(self._write_lines(map(self._write_answer, course.answers, course.shows)), self.indent),
                due=indent(self._write_lines(map(self.quote, course.due)), self.indent),
            )
            for course in courses
        )
        return self._write_lines(texts)

    def _write_header(self, test: UnitTest) -> str:
        due = "\nor:\n".join(_indent_lines(course.due) for course in test.courses)
        said = (
            f"{test.failure.text}\n\ndue:\n{due}\nactual:\n{_indent_lines(test.actual)}\n\n"
            f"With the kit: {test.failure.command}\nWritten by `react-tck repro`; it needs nothing of the kit."
        )
        # What would end the comment, or begin an escape in it, can't.
        safe = said.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace('"""', "'''")
        return "\n".join(f"{self.comment}{line}".rstrip() for line in safe.splitlines())

    def _write_answer(self, answer: LiteralAnswer, shows: Iterable[str]) -> str:
        headers, shown = self._write_list(map(self.quote, answer.headers)), self._write_list(map(self.quote, shows))
        return self._wrap_items(self.answer, (str(answer.status), headers, self.quote(answer.body), shown))

    def _write_list(self, items: Iterable[str]) -> str:
        return self._wrap_items(self.brackets, items)

    def _wrap_items(self, around: tuple[str, str], items: Iterable[str]) -> str:
        return f"{around[0]}{', '.join(items)}{around[1]}"

    def _write_lines(self, items: Iterable[str]) -> str:
        text = ",\n".join(f"{self.indent}{item}" for item in items)
        return f"{text}{',' if self.ends_with_comma else ''}\n" if text else ""


def _indent_lines(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def _quote_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _quote_script(text: str) -> str:
    """In single quotes where that spares the many double ones of JSON their escapes."""
    return _quote_json(text) if "'" in text else "'" + _quote_json(text)[1:-1].replace('\\"', '"') + "'"


def _quote_rust(text: str) -> str:
    """Of JSON's escapes Rust has only some; and it refuses characters that change how a line reads."""
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    plain = (known.get(each) or (each if each.isprintable() else f"\\u{{{ord(each):x}}}") for each in text)
    return f'"{"".join(plain)}"'


def _quote_java(text: str) -> str:
    pieces = [json.dumps(text[at : at + _CONSTANT]) for at in range(0, len(text), _CONSTANT)] or ['""']
    return pieces[0] if len(pieces) == 1 else f'String.join("", {", ".join(pieces)})'


def _quote_elixir(text: str) -> str:
    return _quote_json(text).replace("#{", "\\#{")


_BUILT = """{0} BEGIN: build your agent here.
{0} base_url and api_key are those of an OpenAI-compatible LM; the task has signature, tools and options, as `construct`
{0} has in react-tck's PROTOCOL.md. A tool's function takes the args object, and raises what the tool raises. What is
{0} given back takes what `call` has (inputs, history, max_steps), and gives the outputs by name, or raises.
"""


def _as_written(words: str) -> str:
    return words


def _in_capitals(words: str) -> str:
    return words.title().replace("_", "")


PYTEST = Language(
    "pytest",
    _quote_script,
    _as_written,
    answer=("(", ")"),
    row=("(", ")"),
    indent="    ",
    course="([\n@@answers    ], [\n@@due    ])",
    open_place=f"""\
{_BUILT.format("#")}def build_agent(base_url, api_key, task, tools):
    raise NotImplementedError("build your agent here")
# END""",
    known_place="from @@module import @@function as build_agent",
)
VITEST = Language(
    "vitest",
    _quote_script,
    _in_capitals,
    open_place=f"""\
{_BUILT.format("//")}async function buildAgent(baseURL, apiKey, task, tools) {{
  throw new Error("build your agent here");
}}
// END""",
    known_place='import { @@function as buildAgent } from "@@module";',
)
GO = Language(
    "go",
    _quote_json,
    _in_capitals,
    brackets=("[]string{", "}"),
    answer=("{", "}"),
    row=("{", "}"),
    indent="\t",
    course="{[]answer@@name{\n@@answers\t}, []string{\n@@due\t}}",
    open_place=f"""\
{_BUILT.format("//")}func buildAgent(
	baseURL, apiKey string, task map[string]any, tools map[string]func(map[string]any) (any, error),
) (func(map[string]any) (map[string]any, error), error) {{
	return nil, errors.New("build your agent here")
}}

// END""",
    called="@@function",
)
RUST = Language(
    "rust",
    _quote_rust,
    _as_written,
    brackets=("&[", "]"),
    answer=("(", ")"),
    row=("(", ")"),
    indent="    ",
    course="(&[\n@@answers    ], &[\n@@due    ])",
    open_place=f"""\
{_BUILT.format("//")}fn build_agent(base_url: &str, api_key: &str, task: &str, tools: Tools) -> Call {{
    let _ = (base_url, api_key, task, tools);
    panic!("build your agent here")
}}
// END""",
    known_place="use @@module::@@function as build_agent;",
)
JUNIT5 = Language(
    "junit5",
    _quote_java,
    _in_capitals,
    brackets=("List.of(", ")"),
    answer=("new Answer(", ")"),
    row=("new Result(", ")"),
    indent="            ",
    course="new Course(List.of(\n@@answers            ), List.of(\n@@due            ))",
    ends_with_comma=False,
    open_place=f"""\
{_BUILT.format("    //")}    // Objects are texts of JSON; tools takes a tool's name and its args.
    static Function<String, String> buildAgent(
            String baseUrl, String apiKey, String task, BiFunction<String, String, String> tools) {{
        throw new UnsupportedOperationException("build your agent here");
    }}
    // END""",
    called="@@module.@@function",
)
EXUNIT = Language(
    "exunit",
    _quote_elixir,
    _in_capitals,
    answer=("{", "}"),
    row=("{", "}"),
    indent="    ",
    course="{[\n@@answers    ], [\n@@due    ]}",
    comment="# ",
    ends_with_comma=False,
    open_place=f"""\
{_BUILT.format("  #")}  defp build_agent(_base_url, _api_key, _task, _tools) do
    raise "build your agent here"
  end

  # END""",
    known_place="  defdelegate build_agent(base_url, api_key, task, tools), to: @@module, as: :@@function",
)
LANGUAGES: Mapping[str, Language] = {each.name: each for each in (PYTEST, VITEST, GO, RUST, JUNIT5, EXUNIT)}
