"""What a reader may take a malformed reply for, without a guess (ERR-005, ERR-011)."""

from typing import Literal

from react_tck.dialects.fields import said
from react_tck.dialects.markup import MARKUPS
from react_tck.model.intent import Answer, CallTool, Finish, Garbled, GarbledForm, Submit
from react_tck.model.lm import Ask

#: Forms that leave no doubt what was meant: to read them is as good as to refuse them.
_PLAIN = frozenset(
    {
        *("no-opening", "no-closing", "no-end", "unknown-field", "repeated-field", "reordered", "wrong-case"),
        *("extra-spaces", "indented", "mid-line", "quoted", "fenced", "nested", "two-replies", "other-dialect"),
    }
)

#: Forms in which a field has another JSON type than asked.
_RETYPED = ("null-thought", "listed-tool")


def requirement_of(form: GarbledForm, phase: Literal["step", "extraction"]) -> str:
    """The requirement that is broken by who takes such a reply for what it isn't."""
    if phase == "extraction":
        return "ERR-011"
    return "ERR-016" if form in _RETYPED else "ERR-005"


def reading(intent: Garbled, ask: Ask) -> CallTool | Finish | Submit | Answer | None:
    """What a lenient reader may take the reply for; None if any reading would be a guess."""
    meant = intent.meant
    if intent.form == "truncated":
        return meant if _is_whole(intent, ask) else None
    if intent.form == "missing-args" and isinstance(meant, CallTool | Finish) and not meant.args:
        return meant
    return meant if intent.form in _PLAIN else None


def _is_whole(intent: Garbled, ask: Ask) -> bool:
    """Whether the cut leaves every value complete."""
    if ask.dialect == "native":
        return intent.cut == 1
    markup = MARKUPS[ask.dialect]
    pieces = markup.pieces(said(intent.meant, ask))
    name, value = pieces[-1]
    whole = markup.reply(pieces)
    last = whole.rindex(markup.opening(name)) + len(markup.opening(name)) + len(value)
    return int(len(whole) * intent.cut) >= last
