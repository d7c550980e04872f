"""The forms in which a text reply can be broken, each a function of the reply while it is still in parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH, REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME, step_names
from react_tck.dialects.markup import CHAT, JSON, Markup
from react_tck.model.base import JsonObject

_PROSE = "Let me think about this for a moment before I do anything."
#: What is said where the form contradicts what is meant.
_ELSE = "something else"


@dataclass(frozen=True)
class Draft:
    """The reply as it would have been, still in parts."""

    values: JsonObject
    markup: Markup
    #: The field whose marks or value are broken.
    field: str
    cut: float

    @property
    def text(self) -> str:
        return self.markup.reply(self.markup.pieces(self.values))

    def without(self, name: str) -> "Draft":
        return replace(self, values={key: value for key, value in self.values.items() if key != name})

    def reopened(self, opening: str) -> str:
        """With another opening mark of the field."""
        return self.text.replace(self.markup.opening(self.field), opening, 1)


def _other(value: JsonValue) -> JsonValue:
    return FINISH if isinstance(value, str) and value != FINISH else _ELSE


def _no_end(draft: Draft) -> str:
    text = draft.text
    if draft.markup.end:
        return text.removesuffix(draft.markup.end)
    return text[:-1] if draft.markup.after_value else text


def _missing_args(draft: Draft) -> str:
    args = step_names(draft.values)[2]
    return draft.without(args if args in draft.values else draft.field).text


def _unknown_field(draft: Draft) -> str:
    return replace(draft, values={"confidence": "high", **draft.values}).text


def _again(draft: Draft, values: Mapping[str, JsonValue]) -> str:
    """The reply, with these fields once more before its end."""
    markup = draft.markup
    pieces = [*markup.pieces(draft.values), *markup.pieces(values)]
    return markup.reply(pieces)


def _repeated(draft: Draft) -> str:
    name = next(iter(draft.values), draft.field)
    return _again(draft, {name: draft.values.get(name)})


def _contradicted(draft: Draft) -> str:
    return _again(draft, {draft.field: _other(draft.values.get(draft.field))})


def _reordered(draft: Draft) -> str:
    return replace(draft, values=dict(reversed(draft.values.items()))).text


def _mid_line(draft: Draft) -> str:
    return "Well, " + draft.text.replace("\n", " ")


def _nested(draft: Draft) -> str:
    mark = f"{draft.markup.opening(draft.field).strip()} {_ELSE}"
    thought = next((name for name in (THOUGHT, REASONING) if name in draft.values), None)
    if thought is None:
        return f"I shall write {mark}.\n\n{draft.text}"
    said_there = f"{draft.values[thought]} I shall write {mark}."
    return replace(draft, values={**draft.values, thought: said_there}).text


def _two_replies(draft: Draft) -> str:
    values = {**draft.values, draft.field: _other(draft.values.get(draft.field))}
    return f"{draft.text}\n\n{replace(draft, values=values).text}"


def _other_phase(draft: Draft) -> str:
    step: JsonObject = {THOUGHT: "There is more to do.", TOOL_NAME: FINISH, TOOL_ARGS: {}}
    answer: JsonObject = {REASONING: "That is all.", "answer": _ELSE}
    return replace(draft, values=answer if step_names(draft.values)[1] in draft.values else step).text


def _other_dialect(draft: Draft) -> str:
    return replace(draft, markup=CHAT if draft.markup is JSON else JSON).text


FORMS: Mapping[str, Callable[[Draft], str]] = {
    "no-opening": lambda draft: draft.reopened(f"{draft.field}{draft.markup.after_name}"),
    "no-closing": lambda draft: draft.reopened(f"{draft.markup.before_name}{draft.field}\n"),
    "no-end": _no_end,
    "missing-field": lambda draft: draft.without(draft.field).text,
    "missing-args": _missing_args,
    "unknown-field": _unknown_field,
    "repeated-field": _repeated,
    "contradicted-field": _contradicted,
    "reordered": _reordered,
    "wrong-case": lambda draft: draft.reopened(draft.markup.opening(draft.field).upper()),
    "extra-spaces": lambda draft: draft.reopened(draft.markup.opening(f"  {draft.field}  ")),
    "indented": lambda draft: "\n".join(f"    {line}" for line in draft.text.split("\n")),
    "mid-line": _mid_line,
    "quoted": lambda draft: "\n".join(f"> {line}" for line in draft.text.split("\n")),
    "fenced": lambda draft: f"```\n{draft.text}\n```",
    "nested": _nested,
    "truncated": lambda draft: draft.text[: int(len(draft.text) * draft.cut)],
    "empty": lambda _: "",
    "prose": lambda _: _PROSE,
    "two-replies": _two_replies,
    "other-phase": _other_phase,
    "other-dialect": _other_dialect,
}
