"""Broken forms: each is broken in every dialect, and what remains readable is what was meant."""

import json
from contextlib import suppress
from itertools import product
from typing import Any, get_args

import pytest

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError
from react_tck.fakes.malformed import garble_reply, read_leniently
from react_tck.model.intent import Answer, CallTool, Garbled, GarbledForm
from react_tck.model.lm import Ask

#: Forms whose marks a reader may take for a part of a text.
_DISFIGURING = ("nested", "truncated", "quoted", "fenced")
TEXT_DIALECTS = ("chat", "json", "xml", "label", "react-text")
FORMS = get_args(GarbledForm)
ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add <them>")
ANSWER = Answer(outputs={"answer": "five & a half"}, reasoning="it adds up")
STEP: dict[str, Any] = {
    THOUGHT: {"type": "string"},
    TOOL_NAME: {"enum": ["add", "finish"]},
    TOOL_ARGS: {"type": "object"},
}
OUTPUTS: dict[str, Any] = {"reasoning": {"type": "string"}, "answer": {"type": "string"}}


def _step(dialect: str) -> Ask:
    return Ask(phase="step", dialect=dialect, fields=tuple(STEP))


def _extraction(dialect: str) -> Ask:
    return Ask(phase="extraction", dialect=dialect, fields=tuple(OUTPUTS))


def test_our_parser_reads_what_was_meant_or_nothing(subtests: pytest.Subtests) -> None:
    for dialect, form in product(TEXT_DIALECTS, FORMS):
        with subtests.test(dialect=dialect, form=form):
            for meant, ask, schemas in ((ADD, _step(dialect), STEP), (ANSWER, _extraction(dialect), OUTPUTS)):
                for cut in (0.1, 0.5, 0.9, 1):
                    intent = Garbled(form=form, meant=meant, cut=cut)
                    with suppress(ParseError):
                        read = DIALECTS[dialect].parse_reply(garble_reply(intent, ask), schemas)
                        assert _same(read, meant, exactly=form not in _DISFIGURING), garble_reply(intent, ask)


def _same(read: dict[str, Any], meant: CallTool | Answer, *, exactly: bool) -> bool:
    if isinstance(meant, CallTool):
        return (read[TOOL_NAME], read[TOOL_ARGS]) == (meant.tool, meant.args)
    # Where nothing closes a value, a reply that is cut inside it can't be told from a whole one.
    return read["answer"] == meant.outputs["answer"] if exactly else True


def test_every_form_changes_the_reply(subtests: pytest.Subtests) -> None:
    for dialect, form in product(TEXT_DIALECTS, [form for form in FORMS if form not in ("no-end", "truncated")]):
        with subtests.test(dialect=dialect, form=form):
            whole = DIALECTS[dialect].render_reply(ADD, _step(dialect))
            has_nothing_to_open = form == "no-opening" and dialect in ("label", "react-text")
            assert has_nothing_to_open or garble_reply(Garbled(form=form, meant=ADD), _step(dialect)) != whole


def test_a_form_breaks_no_lines_of_its_own(subtests: pytest.Subtests) -> None:
    cases: list[Any] = ["indented", "mid-line", "quoted"]
    for form in cases:
        with subtests.test(form=form):
            meant = Answer(outputs={"answer": "one\u2028line"}, reasoning="")
            assert "one\u2028line" in (garble_reply(Garbled(form=form, meant=meant), _extraction("xml")).content or "")


def test_a_cut_that_leaves_every_value_whole_can_be_read() -> None:
    readings = [read_leniently(Garbled(form="truncated", meant=ADD, cut=n / 200), _step("chat")) for n in range(201)]
    assert readings.count(None) > 100
    first = readings.index(ADD)
    assert set(readings[:first]) == {None}
    assert all(read == ADD for read in readings[first:])
    text = garble_reply(Garbled(form="truncated", meant=ADD, cut=first / 200), _step("chat")).content or ""
    assert '{"a": 2, "b": 3}' in text


def test_a_cut_reply_that_says_nothing_of_what_is_meant_cannot_be_read() -> None:
    answer = Garbled(form="truncated", meant=Answer(outputs={"answer": "five"}), cut=0.6)
    assert read_leniently(answer, Ask(phase="extraction", dialect="chat", fields=("summary",))) is None


def test_what_a_step_says_to_the_user_is_no_part_of_its_call(subtests: pytest.Subtests) -> None:
    for dialect in ["machina", "json"]:
        with subtests.test(dialect=dialect):
            ask = Ask(phase="step", dialect=dialect, fields=("reasoning", "tool_name", "tool_args", "response"))
            cuts = [Garbled(form="truncated", meant=ADD, cut=n / 200) for n in range(201)]
            texts = [garble_reply(cut, ask).content or "" for cut in cuts]
            first = next(n for n, text in enumerate(texts) if '{"a": 2, "b": 3}' in text)
            assert [read_leniently(cut, ask) for cut in cuts] == [None] * first + [ADD] * (201 - first)
            answer = Garbled(form="truncated", meant=Answer(outputs={"response": "five & a half"}), cut=0.6)
            assert (
                read_leniently(answer, Ask(phase="extraction", dialect=dialect, fields=("reasoning", "response")))
                is None
            )


def test_a_value_that_names_its_field_again_ends_where_it_ends(subtests: pytest.Subtests) -> None:
    for dialect in ["chat", "json", "xml"]:
        with subtests.test(dialect=dialect):
            ask = Ask(phase="step", dialect=dialect, fields=("next_thought", "tool_calls"))
            assert read_leniently(Garbled(form="truncated", meant=ADD, cut=1), ask) == ADD
            assert read_leniently(Garbled(form="truncated", meant=ADD, cut=0.8), ask) is None


def test_the_output_that_is_left_out_says_something_where_one_does(subtests: pytest.Subtests) -> None:
    """One that may be null need not be in a reply: dspy takes it for null, and ERR-011 failed under `null output`."""
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({"answer": "5", "remark": None}, {"remark"}),
        ({"answer": "5", "remark": 7}, {"answer"}),
        ({"remark": None}, set()),
    ]
    for outputs, left in cases:
        with subtests.test(outputs=outputs, left=left):
            asked = Ask(phase="extraction", dialect="json", fields=tuple(outputs))
            said = garble_reply(Garbled(form="missing-field", meant=Answer(outputs=outputs)), asked).content
            assert json.loads(said or "").keys() == left
