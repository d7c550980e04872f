"""What judges see of mutants, each in an episode that shows it, and what they don't see in the reference."""

from dataclasses import replace

import pytest

from react_tck.judges.table import collect_violations
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options, Resumption, System
from react_tck.model.episode import Episode
from react_tck.model.intent import (
    Answer,
    Attempts,
    Calls,
    CallTool,
    Empty,
    Fault,
    Finish,
    Garbled,
    GarbledForm,
    Intent,
    Script,
    Submit,
)
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Behaviour, Raises, Returns, Tool
from react_tck.play.again import gather_evidence
from react_tck.reference.loop import Policy
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve
from react_tck.subjects.libraries.reference.react import conversation

ADD = Tool(
    name="add",
    description="Adds.",
    parameters={"type": "object", "properties": {"a": {"type": "integer"}}, "required": []},
)
ASKED: JsonObject = {"question": "How many?"}
OVERFLOW = Fault(fault="context-window")
FINISH, SUBMIT = Finish(thought="Enough."), Submit(outputs={"answer": "seven"})


def called(thought: str = "Let me see.", tool: str = "add", **args: int) -> CallTool:
    """A step."""
    return CallTool(tool=tool, args={**args}, thought=thought)


def episode(
    *steps: Intent,
    calls: int = 1,
    does: tuple[Behaviour, ...] = (),
    system: System | None = None,
    follows: bool = True,
    inputs: JsonObject = ASKED,
    adapter: str | None = None,
    summaries: int = 0,
    answered: str | None = None,
) -> Episode:
    """Calls of an instance, each going on with the one before it, if it is of a system in which it can."""
    names = ", ".join(f"{name}: int" if isinstance(value, int) else name for name, value in inputs.items())
    answer = Answer(outputs={"answer": "seven"}, reasoning="So.", sticky=True)
    summary = Answer(outputs={"summary": "what was said before"})
    goes_on = follows and system == "transcript"
    responses = () if answered is None else (Resumption(response=answered),)
    invocations = (
        Invocation(inputs=inputs, follows=number - 1 if number and goes_on else None, resumptions=responses)
        for number in range(calls)
    )
    case = Case(
        id="shown",
        signature=parse_arrow(f"{names} -> answer"),
        tools=(ADD,),
        options=Options(system=system, adapter=adapter, clarification=None if answered is None else True),
        invocations=tuple(invocations),
    )
    last = steps[-1].model_copy(update={"sticky": True})
    return Episode(
        case=case,
        script=Script(steps=(*steps[:-1], last), answers=(*[summary] * summaries, answer)),
        behaviours={"add": does} if does else {},
        nonce="~1",
    )


def summarised(*steps: Intent, calls: int = 1) -> Episode:
    """Calls of a transcript that no longer fits once, and is summarised."""
    return episode(*steps, calls=calls, system="transcript", does=GREW, summaries=1)


GREW = (Returns(value="one of them"), Returns(value="two of them"), Returns(value="three of them"))


def test_an_error_beside_a_result_is_seen_in_a_message_of_its_own() -> None:
    """Though its text stood in the request before."""
    both = Calls(calls=(called(a=1), called(a=2)), thought="no")
    fails = episode(both, SUBMIT, system="transcript", does=(Returns(value=1), Raises(message="How many?")))
    assert _violated(resolve("reference-transcript"), fails) == []


def test_a_text_in_two_spellings_is_counted_by_neither() -> None:
    """The input stands as it is in the prompt of a transcript, the result as JSON writes it: each of them once."""
    text = 'the "forum"'
    told = episode(called(a=1), FINISH, does=(Returns(value=text),), inputs={"question": text})
    case = told.case.model_copy(update={"options": Options(max_steps=1)})
    assert _violated(resolve("reference-transcript"), told.model_copy(update={"case": case})) == []


@pytest.mark.parametrize("form", ["repeated-field", "contradicted-field"])
def test_a_key_twice_is_a_key_more_where_there_are_no_args(form: GarbledForm) -> None:
    """It can be read, and a person is asked about it as about any call."""
    waits = ADD.model_copy(update={"confirm": True})
    shown = episode(Garbled(form=form, meant=called()), SUBMIT, system="transcript", adapter="native", answered="yes")
    case = shown.case.model_copy(update={"tools": (waits,)})
    assert _violated(resolve("reference-transcript"), shown.model_copy(update={"case": case})) == []


def test_a_refused_response_is_no_end_of_the_steps() -> None:
    """The call of a turn that is left waits for another response, though no step is left."""
    both = Calls(calls=(called(a=1), called(a=2)))
    shown = episode(both, SUBMIT, system="transcript", answered="yes")
    unknown = Resumption(response="yes", confirmation_id="an-id-of-nobodys")
    (call,) = shown.case.invocations
    case = shown.case.model_copy(
        update={
            "tools": (ADD.model_copy(update={"confirm": True}),),
            "invocations": (call.model_copy(update={"resumptions": (*call.resumptions, unknown), "max_steps": 1}),),
        }
    )
    assert _violated(resolve("reference-transcript"), shown.model_copy(update={"case": case})) == []


def test_a_summary_may_be_asked_for_again() -> None:
    """As any answer that can't be read is; then the step follows that didn't fit, and no outcome."""
    shown = summarised(called(a=1), SUBMIT, called(a=2), SUBMIT, OVERFLOW, SUBMIT, calls=3)
    summary, answer = shown.script.answers
    script = shown.script.model_copy(update={"answers": (Attempts(replies=(Empty(), summary)), answer)})
    assert _violated(resolve("reference-transcript"), shown.model_copy(update={"script": script})) == []


def test_a_prompt_made_to_fit_is_not_counted_on() -> None:
    """It shows fewer of the earlier observations, so that the last of them are more than the new ones."""
    three = Calls(calls=(called(tool="search"), called(a=3), called(a=4)))
    shown = summarised(called(a=1), called(a=2), three, OVERFLOW, SUBMIT)
    search = ADD.model_copy(update={"name": "search", "description": "Finds what is in question."})
    case = shown.case.model_copy(update={"tools": (ADD, search)})
    fails = {**shown.behaviours, "search": (Raises(message="question"),)}
    told = shown.model_copy(update={"case": case, "behaviours": fails})
    assert _violated(resolve("reference-transcript"), told) == []


def test_a_conversation_that_may_not_finish_at_once_goes_on_from_there() -> None:
    """To the state of a tool's result, or to the interruption; behind a reply that can't be read it may finish."""
    strict, unread = conversation(Policy(finish_from_first_state="illegal")), Garbled(form="prose", meant=called())
    for steps in ((FINISH, called(a=1), FINISH), (unread, FINISH)):
        assert _violated(strict, episode(*steps, system="conversation")) == []
    loose = gather_evidence(resolve("reference-conversation"), episode(FINISH, system="conversation"), again=False)
    legal = loose.manifest
    for held in (strict.initialize(), legal.model_copy(update={"claims": ("conversation",)})):
        assert "CNV-005" in collect_violations(replace(loose, manifest=held))
    assert "CNV-005" not in collect_violations(loose)


def _violated(subject: Subject, shown: Episode) -> list[str]:
    return [*collect_violations(gather_evidence(subject, shown, again=False))]
