"""dspy's adapters made to read by the letter: what isn't in the form asked for is refused, what is comes unchanged."""

from itertools import product
from typing import Any

import pytest

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import STEPS, strict_json
from react_tck.fakes.malformed import garble_reply, read_leniently
from react_tck.model.intent import Answer, CallTool, Garbled
from react_tck.model.lm import Ask

pytest.importorskip("dspy")

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.reference.adapters.policies import read_args
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.loop import STRICT
from react_tck.reference.signatures.react import step_signature
from react_tck.reference.tools import bind_tools
from tests.support.dspy_stage import add

ADAPTERS: dict[str, type[dspy.Adapter]] = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": dspy.XMLAdapter}
ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
FORMS = Garbled.model_fields["form"].annotation.__args__  # type: ignore[union-attr]
STEP = step_signature(dspy.Signature("question -> answer"), bind_tools([add], reserved="finish"))
ANSWER = dspy.Signature("question -> reasoning, answer")


def _step(dialect: str) -> Ask:
    return Ask(phase="step", dialect=dialect, fields=STEPS[0])


def _extraction(dialect: str) -> Ask:
    return Ask(phase="extraction", dialect=dialect, fields=("reasoning", "answer"))


def _read(dialect: str, intent: Garbled, signature: Any) -> dict[str, Any]:
    ask = (
        _step(dialect)
        if signature is STEP
        else Ask(phase="extraction", dialect=dialect, fields=("reasoning", "answer"))
    )
    fields: dict[str, Any] = make_strict(ADAPTERS[dialect](), STRICT).parse(
        signature, garble_reply(intent, ask).content or ""
    )
    return fields


def test_a_step_in_a_broken_form_is_refused_or_read_as_it_is_meant(subtests: pytest.Subtests) -> None:
    for dialect, form in product(ADAPTERS, FORMS):
        with subtests.test(dialect=dialect, form=form):
            for cut in (0.2, 0.5, 0.8, 0.95):
                intent = Garbled(form=form, meant=ADD, cut=cut)
                try:
                    said = _read(dialect, intent, STEP)
                    args = said["next_tool_args"]
                    args = args if isinstance(args, dict) else read_args(args, STRICT)
                except (AdapterParseError, ValueError):
                    continue
                assert read_leniently(intent, _step(dialect)) == ADD
                assert (said["next_tool_name"], args) == ("add", ADD.args)


def test_an_answer_that_cannot_be_read_is_refused(subtests: pytest.Subtests) -> None:
    cases_1: list[Any] = ["missing-field", "contradicted-field", "truncated", "empty", "prose", "other-phase"]
    for dialect, form in product(ADAPTERS, cases_1):
        with subtests.test(dialect=dialect, form=form), pytest.raises(AdapterParseError):
            _read(
                dialect,
                Garbled(form=form, meant=Answer(outputs={"answer": "828 m"}, reasoning="I know"), cut=0.9),
                ANSWER,
            )


def test_a_text_comes_as_the_lm_wrote_it(subtests: pytest.Subtests) -> None:
    for text in ["form\x0cfeed \x85 \u2028 separators", "two\r\nlines", '{"answer": 1}', "null", ""]:
        with subtests.test(text=text):
            content = DIALECTS["chat"].render_reply(Answer(outputs={"answer": text}), _extraction("chat")).content
            assert make_strict(dspy.ChatAdapter(), STRICT).parse(ANSWER, content)["answer"] == text


def test_the_fallback_reads_by_the_letter_too() -> None:
    fallback = make_strict(dspy.ChatAdapter(), STRICT)._make_json_adapter_fallback()
    with pytest.raises(AdapterParseError):
        fallback.parse(ANSWER, '{"reasoning": "I know", "answer": "828 m"')


def test_an_adapter_is_left_as_it_was() -> None:
    adapter = dspy.ChatAdapter()
    make_strict(adapter, STRICT)
    assert "parse" not in vars(adapter)


def test_an_adapter_of_another_kind_reads_for_itself() -> None:
    class Own(dspy.ChatAdapter):  # type: ignore[misc]  # dspy has no types
        """Somebody's own, which says how it reads."""

        def parse(self, signature: Any, completion: str) -> dict[str, Any]:
            return dict.fromkeys(signature.output_fields, completion)

    own = Own()
    assert make_strict(own, STRICT) is own


def test_args_that_are_no_json_object_are_refused(subtests: pytest.Subtests) -> None:
    for text in [
        "{'a': 2}",
        '{"a": 2,}',
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        "[2]",
        "2",
        "null",
        '"{}"',
        "",
        "[" * 100_000,
    ]:
        with subtests.test(text=text), pytest.raises(ValueError, match="next_tool_args is not"):
            read_args(text, STRICT)


def test_strict_json_reads_what_json_is() -> None:
    assert strict_json('{"a": [1, 2.5, null, true, "é"]}') == {"a": [1, 2.5, None, True, "é"]}
