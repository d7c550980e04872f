"""What judges see of mutants, each in an episode that shows it, and what they don't see in the reference."""

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
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve

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


ZERO = (Returns(value=0),)
GREW = (Returns(value="one of them"), Returns(value="two of them"), Returns(value="three of them"))
SHOWN: dict[str, tuple[str, Episode]] = {
    "thought-not-read": ("TRJ-002", episode(called(a=1), called(a=2), FINISH)),
    "empty-args-recorded-as-those-before": ("TRJ-002", episode(called(a=1), called(), FINISH)),
    "unknown-tool-not-recorded": ("TRJ-002", episode(called(tool="multiply"), called(), FINISH)),
    "steps-left-out-twice-not-recorded": (
        "TRJ-005",
        episode(*(called(a=number) for number in range(3)), OVERFLOW, OVERFLOW, FINISH, does=GREW),
    ),
    "last-step-not-extracted-from": (
        "EXT-001",
        episode(
            *[called(a=1)] * 2, called(a=2).model_copy(update={"sticky": True}), does=(*ZERO, Raises(message="No."))
        ),
    ),
    "failed-steps-extracted-without-thought": (
        "EXT-001",
        episode(called(a=1), called(a=2), FINISH, does=(Raises(message="No."), *ZERO)),
    ),
    "small-inputs-not-extracted-from": ("EXT-001", episode(called(), FINISH, inputs={**ASKED, "day": 0})),
    "clarification-reads-a-verdict": (
        "CNF-011",
        episode(CallTool(tool="user_clarification", args={"question": "Go on?"}), called(), FINISH, answered="no"),
    ),
    "inputs-stripped-on-resume": (
        "ERR-024",
        episode(
            *(CallTool(tool="user_clarification", args={"question": "Go on?"}), called(), FINISH),
            inputs={"question": "  How many?"},
            answered="no",
        ),
    ),
    "small-results-lost-in-a-follow-up": (
        "TRN-008",
        episode(called(), SUBMIT, SUBMIT, calls=2, does=ZERO, system="transcript"),
    ),
    "summarised-steps-left-out-of-the-trajectory": (
        "TRN-007",
        episode(called(), SUBMIT, SUBMIT, calls=2, system="transcript"),
    ),
    "summary-hidden-from-the-history": (
        "TRN-014",
        summarised(called(a=1), called(a=2), OVERFLOW, SUBMIT),
    ),
    "compaction-drops-the-turn-under-way": (
        "TRN-014",
        summarised(called(a=1), SUBMIT, called(a=2), SUBMIT, OVERFLOW, SUBMIT, calls=3),
    ),
    "summary-leaves-one-result-a-turn": (
        "TRN-014",
        summarised(called(a=1), SUBMIT, Calls(calls=(called(a=2), called(a=3))), SUBMIT, OVERFLOW, SUBMIT, calls=3),
    ),
    "unknown-tool-kept-as-unreadable": (
        "CNV-002",
        episode(called(tool="multiply"), called(), FINISH, system="conversation"),
    ),
    "udspy-error-without-the-tool": (
        "UDS-002",
        episode(called(), FINISH, does=(Raises(message="No."),), system="udspy", adapter="native"),
    ),
}


@pytest.mark.parametrize("fault", SHOWN)
def test_a_judge_sees_the_fault(fault: str) -> None:
    """The requirement is violated by the fault, and none is by the reference."""
    requirement, shown = SHOWN[fault]
    assert requirement in _violated(resolve(f"mutant:{fault}"), shown)
    system = shown.case.options.system
    assert _violated(resolve(f"reference-{system}" if system else "reference"), shown) == []


BROKEN = Fault(fault="rate-limit")


@pytest.mark.parametrize(
    ("fault", "system", "shown"),
    [
        (
            "small-results-lost-in-a-follow-up",
            "reference-transcript",
            episode(called(), SUBMIT, SUBMIT, BROKEN, calls=3, does=ZERO, system="transcript"),
        ),
        ("small-inputs-not-extracted-from", "reference", episode(called(), FINISH, inputs={**ASKED, "day": 0})),
    ],
)
def test_a_fault_of_the_lm_hides_nothing(fault: str, system: str, shown: Episode) -> None:
    """Only a prompt that doesn't fit may be made shorter."""
    answers = (BROKEN,) if system == "reference" else shown.script.answers
    fails = shown.model_copy(update={"script": shown.script.model_copy(update={"answers": answers})})
    requirement, _ = SHOWN[fault]
    assert requirement in _violated(resolve(f"mutant:{fault}"), fails)
    assert _violated(resolve(system), fails) == []


def test_a_step_that_names_no_tool_is_one() -> None:
    """One more than there may be is no retry: it shows what became of the last."""
    shown = episode(called(tool="multiply"), called(a=1), called(a=2), does=GREW)
    (call,) = shown.case.invocations
    limited = shown.case.model_copy(update={"invocations": (call.model_copy(update={"max_steps": 2}),)})
    assert "LOOP-004" in _violated(
        resolve("mutant:unknown-tool-costs-no-step"), shown.model_copy(update={"case": limited})
    )
    assert _violated(resolve("reference"), shown.model_copy(update={"case": limited})) == []


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


def _violated(subject: Subject, shown: Episode) -> list[str]:
    return [*collect_violations(gather_evidence(subject, shown, again=False))]
