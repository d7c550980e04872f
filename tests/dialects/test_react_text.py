"""ReAct's own text form: what a prompt in it asks for, whoever writes it, and what its labels are."""

import pytest

from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.dialects import find_dialect, render_reply
from react_tck.dialects.fields import FINAL_ANSWER
from react_tck.dialects.labels import labels_of
from react_tck.dialects.markup import begins_mark
from react_tck.dialects.reading import classify_request
from react_tck.fakes.malformed import garble_reply, read_leniently
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Garbled
from react_tck.model.lm import Ask, LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.record.places import find_new_observations
from react_tck.steps.core.prompt_reading import allowed_tools

FORM = """Use the following format:

Question: the question
Thought: what to do
Action: the action to take, should be one of [add, search]
Action Input: the input to the action, a JSON object
Observation: the result of the action
Thought: I now know the final answer
Final Answer: the final answer

Begin!

Question: 2+3?
Thought:"""
STEP = ("next_thought", "next_tool_name", "next_tool_args")
GERMAN = (
    "react-text; thought=Gedanke; action=Werkzeug; action-input=Eingabe; observation=Ergebnis; final-answer=Antwort"
)
ASK = Ask(phase="step", dialect="react-text", fields=(*STEP, FINAL_ANSWER))
ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="I add.")
ANSWER = Answer(outputs={"answer": "5"}, reasoning="It is 5.")


def _user(text: str) -> LMRequest:
    return LMRequest(messages=(Message(role="user", content=text),))


def _system(text: str, user: str = "2+3?") -> LMRequest:
    return LMRequest(messages=(Message(role="system", content=text), Message(role="user", content=user)))


def test_the_form_is_read_from_the_system_message_or_the_prompt(subtests: pytest.Subtests) -> None:
    cases: list[LMRequest] = [
        _user(FORM),
        _system(FORM),
        _system("You are helpful.", FORM),
        _user(FORM.replace("\n", "\n  - ")),
    ]
    for asking in cases:
        with subtests.test(asking=asking):
            assert classify_request(asking, ["json", "react-text"]) == ASK


def test_a_form_that_stands_further_down_is_somebodys_words() -> None:
    answered = (Message(role="assistant", content="5"), Message(role="user", content=FORM))
    later = LMRequest(messages=(*_system("You are helpful.").messages, *answered))
    assert classify_request(later, ["react-text"]) is None


def test_who_lists_fields_and_quotes_the_form_asks_for_the_fields(subtests: pytest.Subtests) -> None:
    for quoting in ["user", "system"]:
        with subtests.test(quoting=quoting):
            block = "Your output fields are:\n1. `answer` (str):"
            request = (
                _system(block, FORM) if quoting == "user" else _system(block, "Thought: x\nAction: y\nAction Input: z")
            )
            assert classify_request(request, ["react-text", "json"]) == Ask(
                phase="extraction", dialect="json", fields=("answer",)
            )


def test_labels_are_those_that_the_dialects_name_sets() -> None:
    form = FORM.replace("Thought", "Gedanke").replace("Action Input", "Eingabe").replace("Action", "Werkzeug")
    form = form.replace("Observation", "Ergebnis").replace("Final Answer", "Antwort")
    ask = classify_request(_user(form), [GERMAN])
    assert ask == ASK.model_copy(update={"dialect": GERMAN})
    assert render_reply(ADD, ask).content == 'Gedanke: I add.\nWerkzeug: add\nEingabe: {"a": 2, "b": 3}'
    schemas: dict[str, JsonObject] = {"reasoning": {"type": "string"}, "answer": {"type": "string"}}
    read = find_dialect(GERMAN).parse_reply(render_reply(ANSWER, ask), schemas)
    assert read == {"reasoning": "It is 5.", "answer": "5"}
    assert classify_request(_user(form), ["react-text"]) is None
    assert begins_mark(GERMAN, "Werkzeug: add")
    assert not begins_mark(GERMAN, "Action: add")
    assert allowed_tools(_user(form), None, ask) == [{"add", "search", "finish"}]


def test_labels_that_cannot_be_meant_are_told_of(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("react-text; tool=Tool", "'tool=Tool' sets no label"),
        ("react-text; action=Tool; action=Act", "'action=Act' sets no label"),
        ("react-text; action=", "'action=' sets no label"),
        ("react-text; action=thought", "two labels of 'react-text; action=thought' are the same"),
        ("chat; action=Tool", "'chat; action=Tool' sets labels, which only 'react-text' has"),
    ]
    for name, problem in cases:
        with subtests.test(name=name, problem=problem):
            with pytest.raises(ValueError, match=problem):
                labels_of(name)
            manifest = Manifest(name="m", version="0", dialects=(name,), default_dialect=name, default_max_steps=1)
            (told,) = find_manifest_problems(manifest)
            assert problem in told


def test_an_action_and_an_answer_in_one_reply_is_neither() -> None:
    for meant in (ADD, ANSWER):
        intent = Garbled(form="other-phase", meant=meant)
        text = garble_reply(intent, ASK).content or ""
        assert "Action: " in text
        assert "Final Answer: " in text
        assert read_leniently(intent, ASK) is None


def test_an_observation_stands_behind_its_label_and_not_in_the_form() -> None:
    before = _user(FORM)
    after = _user(f"{FORM} I add.\nAction: add\nAction Input: {{}}\nObservation: 5\nThought: ")
    (place,) = find_new_observations(before, after, ASK)
    assert place.has_value(5)
    assert not place.has_value("5 o'clock")
    assert find_new_observations(None, before, ASK) == []
