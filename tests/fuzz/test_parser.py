"""What is demanded of parsers, and how they are fuzzed (PRS-001, PRS-002)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import react_tck
from react_tck.cli.main import main
from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import ParseError
from react_tck.dialects.markup import MARKUPS, can_carry
from react_tck.fakes.strategies import near_replies, odd_fields
from react_tck.fuzz.parser_search import ParserCampaign, compare_readings
from react_tck.fuzz.shards import Budget, GivenSubject
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion
from react_tck.model.protocol import Parsed, Parsing
from react_tck.play import parsing
from react_tck.play.parsing import encode_fields, slower_than_linear
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.python import BuiltSubject

SCHEMAS: dict[str, JsonObject] = {"reasoning": {"type": "string"}, "answer": {"type": "string"}}


def chat(text: str) -> JsonObject:
    return DIALECTS["chat"].parse_reply(Completion(content=text), SCHEMAS)


def chat_that_drops_the_last_word(text: str) -> JsonObject:
    return {name: str(value).rpartition(" ")[0] or value for name, value in chat(text).items()}


def chat_that_breaks(text: str) -> JsonObject:
    if text.count("]]") > 2:
        raise IndexError("list index out of range")
    return chat(text)


@react_tck.subject("reads-chat", version="0", dialects=["chat"])
class ReadsChat:
    """A parser that is a function of the test's."""

    def __init__(self, function: Callable[[str], JsonObject] = chat) -> None:
        self.function = function

    def parse(self, text: str, fields: dict[str, Any]) -> JsonObject:
        found = self.function(text)
        if missing := next((name for name in fields if name not in found), None):
            raise ValueError(f"there is no {missing!r}")
        return {name: found[name] for name in fields}


def searched(function: Callable[[str], JsonObject], examples: int, seed: int = 0) -> ParserCampaign:
    made = BuiltSubject(
        subject_of(ReadsChat).initialize(),
        lambda *_: pytest.fail("it is a parser"),
        lambda parsing: ReadsChat(function).parse(parsing.reply.content or "", parsing.fields),
    )
    return ParserCampaign(GivenSubject(made), Budget(examples, seed=seed))


@dataclass
class Clocked:
    """A parser that turns the clock by so many seconds for a text of a length: how busy the machine is doesn't show."""

    seconds: Callable[[int], float]
    now: float = 0.0

    def parse(self, parsing: Parsing) -> Parsed:
        self.now += self.seconds(len(parsing.reply.content or ""))
        return Parsed(fields={})

    def clock(self) -> float:
        return self.now


@pytest.mark.parametrize("dialect", MARKUPS)
@given(data=st.data())
def test_what_a_dialect_carries_is_read_as_it_was_written(dialect: str, data: st.DataObject) -> None:
    values = data.draw(odd_fields(dialect, SCHEMAS))
    assert DIALECTS[dialect].parse_reply(encode_fields(dialect, values), SCHEMAS) == values


@pytest.mark.parametrize("dialect", MARKUPS)
@given(data=st.data())
def test_our_parsers_give_fields_or_a_parse_error(dialect: str, data: st.DataObject) -> None:
    text = data.draw(near_replies(dialect, SCHEMAS))
    with suppress(ParseError):
        assert DIALECTS[dialect].parse_reply(Completion(content=text), SCHEMAS).keys() == SCHEMAS.keys()


def test_a_dialect_carries_what_it_can_give_back(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any, bool]] = [
        ("chat", "write [[ ## answer ## ]] there", True),
        ("chat", "so:\n  [[ ## answer ## ]]", False),
        ("chat", " five", False),
        ("json", " five", True),
        ("json", "\ud800", False),
        ("xml", "a\x00b", False),
        ("xml", {"a": "\x00"}, True),
        ("label", "so\nanswer: 6", False),
    ]
    for dialect, value, carried in cases:
        with subtests.test(dialect=dialect, value=value, carried=carried):
            assert can_carry(dialect, value) is carried


def test_a_function_is_a_parser() -> None:
    campaign = searched(chat, 1200)
    assert campaign.find_differences() == []
    assert campaign.shown == 1200


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            ["--target", "parser", "--fields", "a: set"],
            "'set' is not a type that arrow signatures know; write fields as",
        ),
        (["--target", "parser", "--fields", "a, a"], "'a' is no name of a field, or stands twice"),
        (["--target", "parser", "--fields", "a b"], "'a b' is no name of a field"),
        (["--target", "parser", "--fields", " "], "is no name of a field"),
        (["--fields", "a"], "--fields are what a parser is asked for: give --target parser"),
    ],
)
def test_fields_that_cannot_be_asked_for_are_told_of(
    options: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuzz", f"python:{__name__}:ReadsChat", *options]) == 2
    assert problem in " ".join(capsys.readouterr().err.split())


def test_a_parser_that_loses_text_is_found() -> None:
    findings = searched(chat_that_drops_the_last_word, 300).find_differences()
    assert ("broken", "PRS-001") in {(finding.sort, finding.requirement_id) for finding in findings}
    assert "loses text" in {finding.kind for finding in findings}


def test_a_crash_is_found_and_made_short() -> None:
    findings = searched(chat_that_breaks, 300).find_differences()
    crash = next(finding for finding in findings if finding.kind == "raises IndexError")
    assert (crash.requirement_id, crash.text) == ("PRS-002", "]]]]]]")


def slow(seconds: Callable[[int], float]) -> Violation | None:
    return slower_than_linear(Clocked(seconds), "chat", "one long value", SCHEMAS)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between measurements, without waiting for their end."""
    taken: list[float] = []
    monkeypatch.setattr(parsing, "sleep", taken.append)
    return taken


@pytest.mark.usefixtures("pauses")
def test_quadratic_time_is_told_from_linear() -> None:
    assert slow(lambda length: length * 1e-6) is None
    assert slow(lambda length: length**2 * 1e-9) is not None


_A_AND_B = "[[ ## reasoning ## ]]\na\n[[ ## answer ## ]]\nb\n[[ ## completed ## ]]"


def test_differences_are_sorted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, JsonObject | None, str | None, str | None]] = [
        (
            _A_AND_B,
            {"reasoning": "a", "answer": "b"},
            None,
            None,
        ),
        (
            "[[ ## reasoning ## ]]\na b\n[[ ## answer ## ]]\nc\n[[ ## completed ## ]]",
            {"reasoning": "a", "answer": "c"},
            "broken",
            "loses text",
        ),
        (
            _A_AND_B,
            None,
            "choice",
            "refuses what our parser reads",
        ),
        ("reasoning a, answer b", {"reasoning": "a", "answer": "b"}, "choice", "reads what our parser refuses"),
        ("reasoning a", {"reasoning": "a", "answer": ""}, "broken", "makes fields up"),
        ("reasoning a, answer", {"reasoning": "a", "answer": "Paris"}, "broken", "makes fields up"),
    ]
    for text, fields, sort, kind in cases:
        with subtests.test(text=text, fields=fields, sort=sort, kind=kind):
            parsing = Parsing(dialect="chat", reply=Completion(content=text), fields=SCHEMAS)
            difference = compare_readings(parsing, Parsed(fields=fields))
            assert (difference and difference.sort, difference and difference.kind) == (sort, kind)
