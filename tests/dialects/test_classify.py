"""What a request asks for is told from the texts that the real adapters of dspy and udspy write."""

from collections.abc import Callable
from itertools import product
from typing import Any, Literal

import pytest

from react_tck.dialects import DIALECTS
from react_tck.dialects.reading import classify_answer, classify_request
from react_tck.model.lm import Ask, LMRequest, Message, ToolOffer

STEP = ("next_thought", "next_tool_name", "next_tool_args")
ANSWER = ("reasoning", "answer", "score")

#: Instructions as a user might write them who explains prompts: they quote what classifying looks for.
QUOTES = {
    "nothing": "Answer the question.",
    "a block of a step": (
        "Explain this prompt:\nYour output fields are:\n1. `next_thought` (str):\n2. `next_tool_name` (str):\n"
        "3. `next_tool_args` (dict):\nThat was the prompt."
    ),
    "a block of an answer": "Explain this prompt:\nYour output fields are:\n1. `reasoning` (str):\n2. `answer` (str):",
    "the sentence of a step": (
        "Explain this prompt:\nGiven the input fields: `question`, produce the output fields: `next_thought`, "
        "`next_tool_name`, `next_tool_args`."
    ),
    "a chat reply": "End like this:\n[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]",
    "an xml reply": "Never say <next_thought>, <next_tool_name>, <next_tool_args>, <reasoning>, <answer>, <score>.",
}


def _of_dspy(dialect: str, instructions: str, phase: str, trajectory: str = "") -> LMRequest:
    dspy = pytest.importorskip("dspy")
    adapters = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": dspy.XMLAdapter}
    steps: dict[str, Any] = dict(zip(STEP, (str, Literal["add", "finish"], dict[str, Any]), strict=True))
    answers: dict[str, Any] = dict(zip(ANSWER, (str, str, float), strict=True))
    outputs = steps if phase == "step" else answers
    fields: dict[str, Any] = {name: (str, dspy.InputField()) for name in ("question", "trajectory")}
    fields |= {name: (annotation, dspy.OutputField()) for name, annotation in outputs.items()}
    inputs = {"question": "2+3?", "trajectory": trajectory}
    messages = adapters[dialect]().format(dspy.Signature(fields, instructions), [], inputs)
    return LMRequest(messages=tuple(Message(role=m["role"], content=m["content"]) for m in messages))


def _of_udspy(instructions: str, phase: str, trajectory: str = "") -> LMRequest:
    udspy = pytest.importorskip("udspy")
    outputs = {"step": STEP, "extraction": ANSWER}[phase]
    signature = udspy.make_signature({"question": str, "trajectory": str}, dict.fromkeys(outputs, str), instructions)
    adapter = udspy.ChatAdapter()
    system = adapter.format_instructions(signature)
    user = adapter.format_user_request(signature, {"question": "2+3?", "trajectory": trajectory})
    return LMRequest(messages=(Message(role="system", content=system), Message(role="user", content=user)))


Build = Callable[..., LMRequest]
SPEAKERS: dict[str, tuple[str, Build]] = {
    "dspy chat": ("chat", lambda *args: _of_dspy("chat", *args)),
    "dspy json": ("json", lambda *args: _of_dspy("json", *args)),
    "dspy xml": ("xml", lambda *args: _of_dspy("xml", *args)),
    "udspy": ("json", _of_udspy),
}


def test_step_request_is_told_whatever_the_instructions_quote(subtests: pytest.Subtests) -> None:
    for quoted, speaker in product(QUOTES, SPEAKERS):
        with subtests.test(quoted=quoted, speaker=speaker):
            dialect, build = SPEAKERS[speaker]
            ask = classify_request(build(QUOTES[quoted], "step"), DIALECTS)
            assert ask == Ask(phase="step", dialect=dialect, fields=STEP)


def test_extraction_request_is_told_whatever_the_instructions_quote(subtests: pytest.Subtests) -> None:
    for quoted, speaker in product(QUOTES, SPEAKERS):
        with subtests.test(quoted=quoted, speaker=speaker):
            dialect, build = SPEAKERS[speaker]
            ask = classify_request(build(QUOTES[quoted], "extraction"), DIALECTS)
            assert ask == Ask(phase="extraction", dialect=dialect, fields=ANSWER)


def test_only_dialects_that_the_subject_claims_are_tried(subtests: pytest.Subtests) -> None:
    for speaker in SPEAKERS:
        with subtests.test(speaker=speaker):
            dialect, build = SPEAKERS[speaker]
            request = build("Answer the question.", "step")
            assert classify_request(request, [dialect]) is not None
            assert classify_request(request, []) is None
            assert classify_request(request, ["native"]) is None


def _of_ax(instructions: str, *tools: ToolOffer, choice: str | None = None) -> LMRequest:
    """As @ax-llm/ax 24 writes it."""
    fields = "\n".join(f"{name.title()} (wire key: `{name}`): (This field must be included)" for name in ANSWER)
    form = "Return one `field name: value` pair per line for the required output fields only."
    system = (
        "<identity>\nYou will be provided with the following fields: `Question`.\n</identity>\n\n"
        f"<output_fields>\n**Output Fields**: You must generate the following fields:\n\n{fields}\n</output_fields>\n\n"
        f"<task_definition>\n{instructions}\n</task_definition>\n\n"
        f"<formatting_rules>\n\n{form}\nAbove rules override later instructions.\n\n</formatting_rules>"
    )
    return _system(system).model_copy(update={"tools": tools, "tool_choice": choice})


def test_answer_in_label_lines_is_told_whatever_the_instructions_quote(subtests: pytest.Subtests) -> None:
    for quoted in QUOTES:
        with subtests.test(quoted=quoted):
            label = Ask(phase="extraction", dialect="label", fields=ANSWER)
            assert classify_request(_of_ax(QUOTES[quoted]), DIALECTS) == label
            assert classify_answer(_of_ax(QUOTES[quoted], OFFER, choice="auto"), DIALECTS) == label


def _system(content: str) -> LMRequest:
    return LMRequest(messages=(Message(role="system", content=content),))


OFFER = ToolOffer(name="add", description="Adds.", parameters={"type": "object"})


LISTS = {
    "numbers": "1. `answer` (str):\n2. `score` (float):",
    "numbers in brackets": "1) answer (str): what is asked\n2) score (float): how sure it is",
    "dashes": "- `answer`: what is asked\n- `score`: how sure it is",
    "stars without backticks": "* answer\n* score",
    "indented": "    1. `answer` (str): what is asked,\n       at length\n    2. `score` (float):",
    "indented dashes with remarks": "\n  - answer (str)\n    - in one word\n    * `other`\n  - score (float)",
}


def test_fields_are_listed_by_number_or_bullet(subtests: pytest.Subtests) -> None:
    for form in LISTS:
        with subtests.test(form=form):
            after = "\n\nThe tools:\n- `add`\n* next_tool_name\n3. `next_tool_args`"
            request = _system(
                f"Answer.\n\nYour output fields are:\n{LISTS[form]}{after if 'number' not in form else ''}"
            )
            assert classify_request(request, ["json"]) == Ask(
                phase="extraction", dialect="json", fields=("answer", "score")
            )


def test_the_last_sentence_names_the_fields_in_any_of_its_usual_forms(subtests: pytest.Subtests) -> None:
    for sentence in [
        "Given the fields `question`, produce the fields `answer`, `score`.",
        "Given the question, produce the output fields: `answer`, `score`",
        "Return only the fields: answer and score.",
        "Respond with the following fields: answer, and score.\n",
        'Generate the fields "answer", "score".',
    ]:
        with subtests.test(sentence=sentence):
            assert classify_request(_system(f"You answer.\n{sentence}"), ["json"]) == Ask(
                phase="extraction", dialect="json", fields=("answer", "score")
            )
            assert classify_request(_system(f"{sentence}\nAnd now for something else."), ["json"]) is None
