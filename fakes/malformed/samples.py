"""What each malformed form looks like: one step and one answer, in every dialect."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import REASONING, RESPONSE, STEPS
from react_tck.fakes.malformed.reading import reading
from react_tck.fakes.malformed.rendering import garbled
from react_tck.model.intent import Answer, CallTool, Garbled, GarbledForm
from react_tck.model.lm import Ask, Completion

STEP = CallTool(tool="add", args={"a": 2, "b": 3}, thought="I add them.")
ANSWER = Answer(outputs={"answer": "5"}, reasoning="2 and 3 make 5.")
#: Who reads which of them wrong breaks this requirement.
REQUIREMENTS: Mapping[str, str] = {"step": "ERR-005", "answer": "ERR-011"}


@dataclass(frozen=True)
class Sample:
    """A reply in a malformed form, as an LM would write it."""

    dialect: str
    #: What is meant: "step" or "answer".
    meant: str
    text: str
    #: Whether a lenient reader may take it for what is meant; else whatever it reads is a guess.
    may_be_read: bool


def samples(form: GarbledForm) -> Iterator[Sample]:
    """The sample step in each dialect, each followed by the sample answer unless the form leaves the same of both."""
    for dialect in DIALECTS:
        step = _sample(form, STEP, _step_ask(dialect))
        yield step
        answer = _sample(form, ANSWER, Ask(phase="extraction", dialect=dialect, fields=(REASONING, "answer")))
        if answer.text != step.text:
            yield answer


def _sample(form: GarbledForm, meant: CallTool | Answer, ask: Ask) -> Sample:
    intent = Garbled(form=form, meant=meant)
    what = "step" if meant is STEP else "answer"
    return Sample(ask.dialect, what, _shown(garbled(intent, ask)), reading(intent, ask) is not None)


def _step_ask(dialect: str) -> Ask:
    fields = {"machina": (*STEPS[1], RESPONSE), "native": ()}.get(dialect, STEPS[0])
    return Ask(phase="step", dialect=dialect, fields=fields)


def _shown(completion: Completion) -> str:
    """The text of a reply; a native call is shown by its name and the text of its arguments."""
    calls = [f"tool call: name {call.name!r}, arguments {call.arguments!r}" for call in completion.tool_calls]
    return "\n".join([*([completion.content] if completion.content is not None else []), *calls])
