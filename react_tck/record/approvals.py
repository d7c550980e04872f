"""What a person's responses let happen to suspended calls (CNF-003 to CNF-006)."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.record import Event, Resumed, Returned
from react_tck.texts import read_json

#: What a person says to a suspended call: agreement, rejection, another call in its place, or words to the LM.
Decision = Literal["yes", "no", "edit", "feedback"]
_SPELLINGS: dict[str, Decision] = {"yes": "yes", "y": "yes", "no": "no", "n": "no"}


class Question(NamedTuple):
    """A call that was suspended, by what the suspension says of it, and what a person said to that."""

    tool_call: object
    responses: tuple[Resumed, ...] = ()

    @property
    def name(self) -> object:
        """The tool of the call; None where the suspension doesn't say."""
        return self.tool_call.get("name") if isinstance(self.tool_call, dict) else None

    @property
    def args(self) -> JsonValue:
        """The args of the call; None where the suspension doesn't say."""
        return self.tool_call.get("args") if isinstance(self.tool_call, dict) else None

    @property
    def tools(self) -> frozenset[object]:
        """The tool of the call, and those that a person has put in its place."""
        edits = (_read_edit(response.resumption.response) for response in self.responses)
        return frozenset({self.name, *(edit.get("name", self.name) for edit in edits if edit)})

    def is_about(self, call: CallTool) -> bool:
        """Tell whether it is this call, or one just like it."""
        told = self.tool_call if isinstance(self.tool_call, dict) else {}
        return self.name == call.tool and told.get("args") == call.args

    @property
    def is_open(self) -> bool:
        """Whether the call still waits: nobody has said anything to it that can be taken."""
        return not any(is_taken(response) for response in self.responses)


def collect_questions(events: Iterable[Event]) -> tuple[Question, ...]:
    """Return the calls that were suspended, in order; a response is to the latest of them."""
    asked: list[Question] = []
    for event in events:
        if isinstance(event, Returned) and event.outcome.suspension is not None:
            asked.append(Question(event.outcome.suspension.get("tool_call")))
        elif isinstance(event, Resumed):
            latest = asked.pop() if asked else Question(None)
            asked.append(latest._replace(responses=(*latest.responses, event)))
    return tuple(asked)


def match_agreements(calls: Sequence[CallTool], asked: Iterable[Question]) -> tuple[CallTool | None, ...]:
    """Return what may run of each call of a turn. Of calls that are alike, the first was asked about first."""
    if len(calls) == 1:
        return (find_agreed_call(calls[0], (response for question in asked for response in question.responses)),)
    left, made = list(asked), []
    for call in calls:
        question = next((each for each in left if each.is_about(call)), Question(None))
        left = [each for each in left if each is not question]
        made.append(find_agreed_call(call, question.responses))
    return tuple(made)


def find_agreed_call(call: CallTool, responses: Iterable[Resumed]) -> CallTool | None:
    """Return the call that may run: as the LM made it, or as it was edited; None if nobody has agreed to it."""
    for response in responses:
        # A response to another confirmation is none to this one.
        if response.resumption.confirmation_id is None and (
            allowed := _apply_response(call, response.resumption.response)
        ):
            return allowed
    return None


def _apply_response(call: CallTool, response: str) -> CallTool | None:
    if read_decision(response) == "yes":
        return call
    edit = _read_edit(response)
    return (
        call.model_copy(update={"tool": edit.get("name", call.tool), "args": edit.get("args", call.args)})
        if edit
        else None
    )


def is_taken(response: Resumed) -> bool:
    """Tell whether the response is one to the call that waits, and can be understood (CNF-012)."""
    return response.resumption.confirmation_id is None and read_decision(response.resumption.response) is not None


def read_decision(response: str) -> Decision | None:
    """Return what the response says (CNF-003 to CNF-006); None if it can't be understood (CNF-012)."""
    said = response.strip()
    if _read_edit(said):
        return "edit"
    return _SPELLINGS.get(said.lower(), "feedback") if said and not said.startswith("{") else None


def _read_edit(response: str) -> JsonObject | None:
    try:
        said = read_json(response)
    except ValueError:
        return None
    edit = said.get("edit") if isinstance(said, dict) else None
    return edit if isinstance(edit, dict) and _is_well_formed(edit) else None


def _is_well_formed(edit: JsonObject) -> bool:
    return isinstance(edit.get("name", ""), str) and isinstance(edit.get("args", {}), dict)
