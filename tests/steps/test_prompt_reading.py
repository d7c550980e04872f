"""The readers of step prompts know the spellings that adapters and ports use, and take nothing else for them."""

import re

import pytest

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Finish
from react_tck.model.lm import LMRequest, Message
from react_tck.steps.core.prompt_reading import (
    allowed_tools,
    demands_json_object,
    has_parameter,
    hidden_argument,
    input_fields,
    lists_tool,
    may_constrain_tools,
)
from react_tck.steps.core.request_checks import has_inputs
from tests.support import hand_made

TOOLS = frozenset({"add", "search", "finish"})


def prompt(text: str) -> LMRequest:
    return LMRequest(messages=(Message(role="user", content=text),))


def test_the_allowed_tools_are_read_in_every_spelling(subtests: pytest.Subtests) -> None:
    for text in [
        "2. `next_tool_name` (Literal['add', 'search', 'finish']):",
        "{next_tool_name}  # note: the value must exactly match one of: add; search; finish",
        "next_tool_name: must be one of add, search or finish.",
        'next_tool_name: string, one_of: ["add", "search", "finish"]',
        '{"next_tool_name": {"type": "string", "enum": ["add", "search", "finish"]}}',
        'next_tool_name: "add" | "search" | "finish";',
        "next_tool_name ∈ {add, search, finish}",
        "next_tool_name. Allowed values: `add`, `search`, `finish`.",
        "next_tool_name: one of the available functions: add, search, finish",
        "next_tool_name must be one of the following [add, search, finish].",
        "next_tool_name, one of these:\n- add: Adds.\n- search: Searches.\n- finish: Ends.\n",
        "For next_tool_name choose one of:\n(1) add, which adds\n(2) search, which searches\n(3) finish\n",
        "next_tool_name, one of:\n- add\n  - a: integer\n\n- `search`\nSearches.\n- **finish**: Ends.\n\nNote:\n- more",
        '"next_tool_name": {"type": "string", "enum": [\n  "add",\n  "search",\n  "finish"\n]}',
        'next_tool_name: Literal[\n    "add",\n    "search",\n    "finish",\n]',
        '"next_tool_name": {"oneOf": [{"const": "add"}, {"const": "search"}, {"const": "finish"}]}',
    ]:
        with subtests.test(text=text):
            assert allowed_tools(prompt(text)) == [TOOLS]


def test_the_allowed_tools_are_read_in_the_schema_of_the_reply(subtests: pytest.Subtests) -> None:
    cases: list[JsonObject] = [
        {"properties": {"next_tool_name": {"enum": ["add", "search", "finish"]}}},
        {"properties": {"next_tool_name": {"$ref": "#/$defs/Tool"}}, "$defs": {"Tool": {"enum": [*sorted(TOOLS)]}}},
    ]
    for schema in cases:
        with subtests.test(schema=schema):
            asked = prompt("Give next_tool_name.").model_copy(update={"answer_schema": schema})
            assert set(allowed_tools(asked)) == {TOOLS}


def test_the_allowed_tools_may_be_said_in_another_form_or_elsewhere(subtests: pytest.Subtests) -> None:
    for text in [
        "next_tool_name: add | search | finish",
        "next_tool_name: <add|search|finish>",
        "next_tool_name must be add, search or finish.",
        "next_tool_name (pattern ^(add|search|finish)$)",
        "next_tool_name, as written here:\n  add\n  search\n  finish\n",
        "next_tool_name: one of add (adds numbers), search (looks something up) or finish (ends)",
        "next_tool_name: eines von add, search, finish",
        "Give add, search or finish as next_tool_name.",
        "next_tool_name: one of the available tools\n\nTools:\n- add: Adds.\n- search: Searches.\n- finish: Ends.",
        "You have the tools add and search, and finish. next_tool_name must be one of them.",
        "Choose from the list of tools for next_tool_name.\n\nadd(a, b)\n\nsearch(query)\n\nfinish()",
        "next_tool_name: the name of an available tool, or finish.\n\nadd: Adds.\nArgs: a, b\nsearch: Searches.",
    ]:
        with subtests.test(text=text):
            assert not any(names & TOOLS for names in allowed_tools(prompt(text)))
            assert may_constrain_tools(prompt(text), TOOLS)
            assert not may_constrain_tools(prompt(text), TOOLS | {"weather"})


def test_what_allows_other_tools_or_any_text_constrains_nothing(subtests: pytest.Subtests) -> None:
    for text in [
        "next_tool_name: the tool to call\n\nTools:\n- add\n- search\n- finish",
        "next_tool_name: add, search, weather or finish",
        "next_tool_name: one of the available functions\n\nFunctions:\n- add: Adds.\n- finish: Ends.",
        "The tools are add, search, finish.\nnext_thought: one of the available functions\nnext_tool_name: a text",
    ]:
        with subtests.test(text=text):
            assert not may_constrain_tools(prompt(text), TOOLS)


def test_a_tool_is_listed_behind_a_mark_or_in_quotes() -> None:
    for text in ("Tools:\n- weather: Reports.", "(1) weather(city)", "a tool `weather`", '{"name": "weather"}'):
        assert lists_tool(text, "weather")
    for text in ("Ask about the weather.", "- weather_report: Reports."):
        assert not lists_tool(text, "weather")


def test_words_before_a_list_are_no_tools_and_tools_are_no_words() -> None:
    for names in ("the, search", "available or finish", "add or the", "tool, search", "these | those"):
        wanted = set(re.findall(r"\w+", names)) - {"or"}
        assert allowed_tools(prompt(f"next_tool_name: one of {names}")) == [wanted]


def test_the_tool_has_the_name_that_the_dialect_gives_it() -> None:
    fields = "Your output fields are:\n1. `reasoning`\n2. `tool_name`\n3. `tool_args`\n"
    system = Message(role="system", content=f"{fields}`tool_name`: one of: add, finish\n`tool_args`: a JSON object\n")
    request = LMRequest(messages=(system,))
    assert allowed_tools(request) == [{"add", "finish"}]
    assert demands_json_object(request) == (True, True)


def test_a_list_that_is_not_of_the_field_constrains_nothing(subtests: pytest.Subtests) -> None:
    for text in [
        "next_tool_name: the tool to call",
        "Use one of: add; search; finish. Then say next_thought.",
        "next_tool_name (str)\nnext_tool_args: one of: add; search; finish",
    ]:
        with subtests.test(text=text):
            assert not any({"add", "search", "finish"} <= names for names in allowed_tools(prompt(text)))


def test_the_demand_for_a_json_object_is_read_in_every_spelling(subtests: pytest.Subtests) -> None:
    for text in [
        "`next_tool_args` must be a valid JSON object.",
        "- `next_tool_args`: dict - the value must adhere to the JSON schema",
        "Give a JSON object as next_tool_args.",
        'next_tool_args:\n  JSON, like {"city": "Rome"}',
    ]:
        with subtests.test(text=text):
            assert demands_json_object(prompt(text)) == (True, True)


def test_json_said_of_something_else_is_no_demand_on_the_args(subtests: pytest.Subtests) -> None:
    for text in [
        "next_tool_args: the arguments",
        "Respond with a JSON object: {next_thought, next_tool_name, next_tool_args}",
        '[[ ## next_tool_args ## ]]\n{next_tool_args}\n  \nThe tools, as JSON Schema: {"a": {}}',
    ]:
        with subtests.test(text=text):
            assert demands_json_object(prompt(text))[0] is False


def test_the_input_fields_are_read_from_block_or_sentence() -> None:
    block = "Your input fields are:\n1. `question` (str): not `this`\n2. `trajectory` (str):\nYour output fields are:"
    sentence = "Given the input fields: `trajectory`, `question`, produce the output fields: `next_thought`."
    wanted = frozenset({"question", "trajectory"})
    assert input_fields(block) == wanted
    assert input_fields(sentence) == wanted
    assert input_fields("Answer.") is None


PARAMETERS: JsonObject = {
    "properties": {
        "guests": {"type": "integer"},
        "place": {"type": "object", "properties": {"dishes": {"type": "array", "items": {"type": "string"}}}},
    }
}


def test_the_trajectory_is_an_input_whatever_it_is_called(subtests: pytest.Subtests) -> None:
    wordings = (
        "Trajectory:",
        "The steps so far:",
        "Your earlier work:",
        "Bisherige Schritte:",
        "Verlauf:",
    )
    asked = hand_made.step(Finish())
    for told in (
        *wordings,
        "Given the input fields: `context`, `question`, `steps`, produce the output fields: `thought`.",
    ):
        with subtests.test(told=told):
            request = of(f"context: a census\nquestion: How many?\n{told}\nsearch: 828 m")
            has_inputs(asked.model_copy(update={"request": request}), ("context", "question", "trajectory"))
    for told in (
        "context: a census",
        "Given the input fields: `context`, `trajectory`, `notes`, `question`, produce the output fields: `thought`.",
    ):
        with subtests.test(told=told), pytest.raises(Violation):
            has_inputs(asked.model_copy(update={"request": of(told)}), ("context", "question", "trajectory"))


def of(text: str) -> LMRequest:
    return LMRequest(messages=(Message(role="system", content=text), Message(role="user", content=text)))


def test_arguments_are_found_with_their_types(subtests: pytest.Subtests) -> None:
    for text in [
        '{"guests": {"type": "integer"}, "dishes": {"type": "array", "items": {"type": "string"}}}',
        "book(guests: int, place: {dishes: list[str]})",
        "guests (integer): how many; dishes (list of strings)",
        "int guests, List<String> dishes",
    ]:
        with subtests.test(text=text):
            assert hidden_argument(text, PARAMETERS) is None


def test_a_parameter_is_shown_in_every_spelling(subtests: pytest.Subtests) -> None:
    for text in [
        '{"kwargs": {"type": "string"}}',
        "kwargs: string",
        "send(wording, kwargs)",
        "send(kwargs, wording)",
        "send(wording: str, kwargs: Any)",
        "- kwargs = {}",
        "takes wording,\n  kwargs, urgency",
    ]:
        with subtests.test(text=text):
            assert has_parameter(text, "kwargs")


def test_args_of_any_name_and_prose_are_no_parameter(subtests: pytest.Subtests) -> None:
    for text in [
        "send(wording: str, **kwargs) -> str",
        "You MUST give it too, even if the tool does not need kwargs, in that case give {}.",
        "a JSON format representing the kwargs (e.g. {})",
    ]:
        with subtests.test(text=text):
            assert not has_parameter(text, "kwargs")
