"""What a reader may take a malformed reply for, without a guess (ERR-005, ERR-018, ERR-011)."""

from typing import Literal

from pydantic import JsonValue

from react_tck.dialects.fields import FINAL_ANSWER, FINISH, RESPONSE, TOOL_CALLS, fill_fields
from react_tck.dialects.markup import find_markup
from react_tck.model.intent import Answer, CallTool, Finish, Garbled, GarbledForm, Submit
from react_tck.model.lm import Ask

#: Forms that leave no doubt what was meant: to read them is as good as to refuse them.
_PLAIN = frozenset(
    {
        *("no-opening", "no-closing", "no-end", "unknown-field", "repeated-field", "reordered", "wrong-case"),
        *("extra-spaces", "indented", "mid-line", "quoted", "fenced", "nested", "two-replies", "other-dialect"),
        *("renamed-args", "flat-args"),
    }
)

Meant = CallTool | Finish | Submit | Answer
#: Forms in which a field has another JSON type than asked.
_RETYPED = ("null-thought", "listed-tool")
#: Forms in which the args stand elsewhere than they were asked for.
_MISPLACED = ("renamed-args", "flat-args")


def requirement_of(form: GarbledForm, phase: Literal["step", "extraction"]) -> str:
    """Return the requirement that is broken by who takes such a reply for what it isn't."""
    if phase == "extraction":
        return "ERR-011"
    if form in _MISPLACED:
        return "ERR-018"
    return "ERR-016" if form in _RETYPED else "ERR-005"


def read_leniently(intent: Garbled, ask: Ask) -> Meant | None:
    """Return what a lenient reader may take the reply for; None if any reading would be a guess."""
    meant = intent.meant
    if intent.form == "truncated":
        return meant if _is_whole(intent, ask) else None
    if intent.form == "missing-args" and isinstance(meant, CallTool | Finish):
        if ask.dialect == "native":  # the text is there, and empty: what it stands for is the choice `empty-args`
            return meant.model_copy(update={"args": {}})
        return None if meant.args else meant
    return meant if intent.form in _PLAIN else None


#: What is said where the form contradicts what is meant.
ELSE = "something else"


def contradict_value(value: JsonValue) -> JsonValue:
    """Return what a form says instead of this value, or beside it."""
    return FINISH if isinstance(value, str) and value != FINISH else ELSE


def both_readings(intent: Garbled, ask: Ask) -> tuple[Meant, Meant | None] | None:
    """Of a field that stands twice, what is meant by the first value and by the last (choice `repeated-field`).

    So it does in two replies, too. The last is None where it can't be read: what contradicts a field of calls is none.
    """
    if intent.form not in ("contradicted-field", "two-replies"):
        return None
    match intent.meant:
        case CallTool(args=args) as call if ask.dialect == "native" and args:
            name = next(reversed(args))
            return call, call.model_copy(update={"args": {**args, name: contradict_value(args[name])}})
        case CallTool(thought=thought) as call if ask.dialect != "native":
            return call, None if TOOL_CALLS in ask.fields else Finish(thought=thought)
        case Finish(thought=thought) as finish if ask.dialect != "native":
            return finish, CallTool(tool=ELSE, thought=thought)
        case Answer(outputs=outputs) as answer if outputs.keys() & set(ask.fields) and ask.dialect != "native":
            name = next(reversed(fill_fields(answer, ask)), "")
            return answer, answer.model_copy(update={"outputs": {**outputs, name: contradict_value(outputs[name])}})
        case Answer(outputs=outputs) as answer if FINAL_ANSWER in ask.fields and len(outputs) == 1:
            ((name, value),) = outputs.items()
            return answer, answer.model_copy(update={"outputs": {name: contradict_value(value)}})
        case Submit(outputs=outputs) as submit if ask.dialect == "native" and outputs:
            name = next(reversed(outputs))
            return submit, submit.model_copy(update={"outputs": {**outputs, name: contradict_value(outputs[name])}})
        case Submit() as submit if ask.dialect != "native":
            return submit, None
    return None


def _is_whole(intent: Garbled, ask: Ask) -> bool:
    """Whether the cut leaves every value complete; of a call, those that make it, and not what is said to the user."""
    if ask.dialect == "native":
        return intent.cut == 1
    marks = find_markup(ask.dialect)
    pieces = marks.render_pieces(fill_fields(intent.meant, ask))
    beside = () if isinstance(intent.meant, Answer) else (RESPONSE,)
    said = [piece for piece in pieces if piece[0] not in beside]
    if not said:  # nothing that is meant is asked for
        return False
    name, value = said[-1]
    whole = marks.render_reply(pieces)
    # Inside a value its field may be named again, as in `{"tool_calls": {"tool_calls": [...]}}`.
    last = f"{marks.render_opening(name)}{value}"
    return int(len(whole) * intent.cut) >= whole.rindex(last) + len(last)
