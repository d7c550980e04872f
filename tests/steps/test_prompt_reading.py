"""The readers of step prompts know the spellings that adapters and ports use, and take nothing else for them."""

import re

import pytest

from react_tck.model.base import JsonObject
from react_tck.model.lm import LMRequest, Message, ToolOffer
from react_tck.steps.core.prompt_reading import allowed_tools, demands_json_object, hidden_argument, input_fields


def prompt(text: str) -> LMRequest:
    return LMRequest(messages=(Message(role="user", content=text),))


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_the_allowed_tools_are_read_in_every_spelling(text: str) -> None:
    assert {"add", "search", "finish"} in allowed_tools(prompt(text))


def test_words_before_a_list_are_no_tools_and_tools_are_no_words() -> None:
    for names in ("the, search", "available or finish", "add or the", "tool, search", "these | those"):
        wanted = set(re.findall(r"\w+", names)) - {"or"}
        assert allowed_tools(prompt(f"next_tool_name: one of {names}")) == [wanted]


@pytest.mark.parametrize("text", ["one of the available functions", "one of the available functions or finish"])
def test_words_alone_are_no_list_of_tools(text: str) -> None:
    assert not any({"functions", "available"} & names for names in allowed_tools(prompt(f"next_tool_name: {text}")))


def test_the_tool_has_the_name_that_the_dialect_gives_it() -> None:
    fields = "Your output fields are:\n1. `reasoning`\n2. `tool_name`\n3. `tool_args`\n"
    system = Message(role="system", content=f"{fields}`tool_name`: one of: add, finish\n`tool_args`: a JSON object\n")
    request = LMRequest(messages=(system,))
    assert allowed_tools(request) == [{"add", "finish"}]
    assert demands_json_object(request) == (True, True)


def test_natively_the_tools_offered_are_the_allowed_ones() -> None:
    offers = (ToolOffer(name="add"), ToolOffer(name="finish"))
    assert allowed_tools(LMRequest(messages=(), tools=offers)) == [{"add", "finish"}]


@pytest.mark.parametrize(
    "text",
    [
        "next_tool_name: the tool to call",
        "Use one of: add; search; finish. Then say next_thought.",
        "next_tool_name (str)\nnext_tool_args: one of: add; search; finish",
    ],
)
def test_a_list_that_is_not_of_the_field_constrains_nothing(text: str) -> None:
    assert not any({"add", "search", "finish"} <= names for names in allowed_tools(prompt(text)))


@pytest.mark.parametrize(
    "text",
    [
        "`next_tool_args` must be a valid JSON object.",
        "- `next_tool_args`: dict - the value must adhere to the JSON schema",
        "Give a JSON object as next_tool_args.",
        'next_tool_args:\n  JSON, like {"city": "Rome"}',
    ],
)
def test_the_demand_for_a_json_object_is_read_in_every_spelling(text: str) -> None:
    assert demands_json_object(prompt(text)) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "next_tool_args: the arguments",
        "Respond with a JSON object: {next_thought, next_tool_name, next_tool_args}",
        '[[ ## next_tool_args ## ]]\n{next_tool_args}\n  \nThe tools, as JSON Schema: {"a": {}}',
    ],
)
def test_json_said_of_something_else_is_no_demand_on_the_args(text: str) -> None:
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


@pytest.mark.parametrize(
    "text",
    [
        '{"guests": {"type": "integer"}, "dishes": {"type": "array", "items": {"type": "string"}}}',
        "book(guests: int, place: {dishes: list[str]})",
        "guests (integer): how many; dishes (list of strings)",
        "int guests, List<String> dishes",
    ],
)
def test_arguments_are_found_with_their_types(text: str) -> None:
    assert hidden_argument(text, PARAMETERS) is None


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("guests, dishes: list[str]", "guests (integer)"),
        ("guests: int, dishes: list", "dishes (array of string)"),
        ("guests: int, place: object", "dishes (array of string)"),
        ("dishes: list[str]", "guests (integer)"),
    ],
)
def test_the_first_hidden_argument_is_named(text: str, hidden: str) -> None:
    assert hidden_argument(text, PARAMETERS) == hidden
