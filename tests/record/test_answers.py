"""What a reply answers: whole, and as far as there were tokens for it."""

import pytest

from react_tck.fakes.malformed import garble_reply
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, Garbled, GarbledForm
from react_tck.model.lm import Ask
from react_tck.model.record import Asked
from react_tck.record.answers import read_answer
from tests.support.hand_made import extraction

LONG = 'It is 828 metres high.\nIs it the highest & "best"? It is.'
OUTPUTS: JsonObject = {"answer": LONG, "source": LONG.upper()}


def _said(cut: float, dialect: str, form: GarbledForm = "truncated", outputs: JsonObject = OUTPUTS) -> Asked:
    """An extraction of which so much was said."""
    ask = Ask(phase="extraction", dialect=dialect, fields=("reasoning", *outputs))
    intent = Garbled(form=form, meant=Answer(reasoning="It stands there.", outputs=outputs), cut=cut)
    return extraction(intent).model_copy(update={"ask": ask, "completion": garble_reply(intent, ask)})


def test_of_a_reply_that_is_cut_off_there_is_as_much_as_was_written(subtests: pytest.Subtests) -> None:
    for dialect in ["chat", "json", "xml", "label"]:
        with subtests.test(dialect=dialect):
            read = [answer for cut in range(101) if (answer := read_answer(_said(cut / 100, dialect)))]
            parts = [str(answer.outputs["source"]) for answer in read]
            assert all(answer.outputs["answer"] == LONG for answer in read)
            assert parts == sorted(parts, key=len)
            assert all(LONG.upper().startswith(part) and part for part in parts)
            assert len(set(parts)) > 10
            assert parts[-1] == LONG.upper()


def test_half_of_what_stands_for_a_character_is_none(subtests: pytest.Subtests) -> None:
    for written in ["chat", "json", "xml"]:
        with subtests.test(written=written):
            texts = {
                str(answer.outputs["source"])
                for cut in range(1001)
                if (answer := read_answer(_said(cut / 1000, written)))
            }
            assert texts == {LONG.upper()[:length] for length in range(1, len(LONG) + 1)}


def test_where_an_output_is_missing_or_no_text_nothing_is_answered(subtests: pytest.Subtests) -> None:
    cases: list[Asked] = [
        _said(0.1, "chat"),
        _said(0.5, "chat"),
        _said(0.9, "json", "prose"),
        _said(0.9, "native"),
        _said(0.8, "json", outputs={"answer": LONG, "count": 1234567890123456789012345}),
    ]
    for said in cases:
        with subtests.test(said=said):
            assert read_answer(said) is None
