"""Broken forms: each is broken in every dialect, and what remains readable is what was meant."""

from contextlib import suppress
from itertools import product
from typing import Any, get_args

import pytest

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError
from react_tck.fakes.malformed import garble_reply
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
