"""Malformed replies: how each form is written, and what a reader may take one for (ERR-005, ERR-011, ERR-018)."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import JsonValue

from react_tck.dialects import DIALECTS, render_reply
from react_tck.dialects.fields import (
    FINAL_ANSWER,
    FINISH,
    REASONING,
    RESPONSE,
    STEPS,
    THOUGHT,
    TOOL_ARGS,
    TOOL_CALLS,
    TOOL_NAME,
    calls_of,
    fill_fields,
    is_json,
    step_names,
)
from react_tck.dialects.markup import CHAT, JSON, LABEL, Markup, find_markup
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Finish, Garbled, GarbledForm, Submit
from react_tck.model.lm import Ask, Completion, ToolCall

_PROSE = "Let me think about this for a moment before I do anything."


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
        return self.markup.render_reply(self.markup.render_pieces(self.values))

    @property
    def label(self) -> str:
        return self.markup.find_label(self.field)

    @property
    def spaced_label(self) -> str:
        return f"  {self.label}  "

    def drop_field(self, name: str) -> "Draft":
        return replace(self, values={key: value for key, value in self.values.items() if key != name})

    def reopen_field(self, opening: str) -> str:
        """With another opening mark of the field."""
        return self.text.replace(self.markup.render_opening(self.field), opening, 1)


def _no_end(draft: Draft) -> str:
    text = draft.text
    if draft.markup.end:
        return text.removesuffix(draft.markup.end)
    return text[:-1] if draft.markup.after_value else text


def _missing_args(draft: Draft) -> str:
    args = step_names(draft.values)[2]
    return draft.drop_field(args if args in draft.values else draft.field).text


def _renamed_args(draft: Draft) -> str:
    return _with_args_as(draft, lambda name, args: {name.replace("args", "arguments"): args})


def _flat_args(draft: Draft) -> str:
    return _with_args_as(draft, lambda _, args: dict(args))


def _with_args_as(draft: Draft, put: Callable[[str, JsonObject], JsonObject]) -> str:
    """Return the reply with args that stand elsewhere; of an answer, with its broken field under another name."""
    args = step_names(draft.values)[2]
    moved: JsonObject
    match draft.values.get(args, draft.values.get(TOOL_CALLS)):
        case {"tool_calls": [{"name": name, "args": dict() as given}]}:
            moved = {TOOL_CALLS: {TOOL_CALLS: [{"name": name, **put("args", given)}]}}
            return replace(draft, values={**draft.values, **moved}).text
        case dict() as given if args in draft.values:
            moved = put(args, given)
            return replace(draft, values={**draft.drop_field(args).values, **moved}).text
    moved = {**draft.drop_field(draft.field).values, f"the_{draft.field}": draft.values.get(draft.field)}
    return replace(draft, values=moved).text


def _append_fields(draft: Draft, values: Mapping[str, JsonValue]) -> str:
    """Return the reply, with these fields once more before its end."""
    markup = draft.markup
    pieces = [*markup.render_pieces(draft.values), *markup.render_pieces(values)]
    return markup.render_reply(pieces)


def _repeat_field(draft: Draft) -> str:
    name = next(iter(draft.values), draft.field)
    return _append_fields(draft, {name: draft.values.get(name)})


def _contradict_field(draft: Draft) -> str:
    return _append_fields(draft, {draft.field: contradict_value(draft.values.get(draft.field))})


def _nest_mark(draft: Draft) -> str:
    mark = f"{draft.markup.render_opening(draft.field).strip()} {ELSE}"
    thought = next((name for name in (THOUGHT, REASONING) if name in draft.values), None)
    if thought is None:
        return f"I shall write {mark}.\n\n{draft.text}"
    said_there = f"{draft.values[thought]} I shall write {mark}."
    return replace(draft, values={**draft.values, thought: said_there}).text


def _two_replies(draft: Draft) -> str:
    values = {**draft.values, draft.field: contradict_value(draft.values.get(draft.field))}
    return f"{draft.text}\n\n{replace(draft, values=values).text}"


def _other_phase(draft: Draft) -> str:
    step: JsonObject = {THOUGHT: "There is more to do.", TOOL_NAME: FINISH, TOOL_ARGS: {}}
    answer: JsonObject = {REASONING: "That is all.", "answer": ELSE}
    is_step = step_names(draft.values)[1] in draft.values
    if FINAL_ANSWER in draft.markup.labels:  # where a step may be an answer too, what is out of order is to be both
        both: JsonObject = {FINAL_ANSWER: ELSE} if is_step else {TOOL_NAME: FINISH, TOOL_ARGS: {}}
        return replace(draft, values={**draft.values, **both}).text
    return replace(draft, values=answer if is_step else step).text


def _null_thought(draft: Draft) -> str:
    return _retype_field(draft, step_names(draft.values)[0], lambda _: None)


def _listed_tool(draft: Draft) -> str:
    return _retype_field(draft, step_names(draft.values)[1], lambda name: [name])


def _retype_field(draft: Draft, name: str, change: Callable[[JsonValue], JsonValue]) -> str:
    """Return a step with a field of another JSON type; only JSON has types, and elsewhere there is nothing to read."""
    if draft.markup is not JSON or step_names(draft.values)[1] not in draft.values:
        return _PROSE
    return replace(draft, values={**draft.values, name: change(draft.values.get(name))}).text


#: Forms in which a native reply calls no tool at all.
_WITHOUT_CALL = ("empty", "prose", "other-phase", "other-dialect", "null-thought", "listed-tool")
FORMS: Mapping[str, Callable[[Draft], str]] = {
    "no-opening": lambda draft: draft.reopen_field(f"{draft.label}{draft.markup.after_name}"),
    "no-closing": lambda draft: draft.reopen_field(f"{draft.markup.before_name}{draft.label}\n"),
    "no-end": _no_end,
    "missing-field": lambda draft: draft.drop_field(draft.field).text,
    "missing-args": _missing_args,
    "unknown-field": lambda draft: replace(draft, values={"confidence": "high", **draft.values}).text,
    "repeated-field": _repeat_field,
    "contradicted-field": _contradict_field,
    "reordered": lambda draft: replace(draft, values=dict(reversed(draft.values.items()))).text,
    "wrong-case": lambda draft: draft.reopen_field(draft.markup.render_opening(draft.field).upper()),
    "extra-spaces": lambda draft: draft.reopen_field(
        draft.markup.render_opening(draft.field).replace(draft.label, draft.spaced_label)
    ),
    "indented": lambda draft: "\n".join(f"    {line}" for line in draft.text.split("\n")),
    "mid-line": lambda draft: "Well, " + draft.text.replace("\n", " "),
    "quoted": lambda draft: "\n".join(f"> {line}" for line in draft.text.split("\n")),
    "fenced": lambda draft: f"```\n{draft.text}\n```",
    "nested": _nest_mark,
    "truncated": lambda draft: draft.text[: int(len(draft.text) * draft.cut)],
    "empty": lambda _: "",
    "prose": lambda _: _PROSE,
    "two-replies": _two_replies,
    "other-phase": _other_phase,
    "null-thought": _null_thought,
    "listed-tool": _listed_tool,
    "renamed-args": _renamed_args,
    "flat-args": _flat_args,
    "other-dialect": lambda draft: replace(draft, markup=CHAT if draft.markup is JSON else JSON).text,
}


def garble_reply(intent: Garbled, ask: Ask) -> Completion:
    """Return the reply that means it, in the form that is broken so."""
    if ask.dialect == "native":
        reply = _garble_native(intent, ask)
    else:
        reply = Completion(content=_break_text(intent, fill_fields(intent.meant, ask), find_markup(ask.dialect)))
    # What is cut off is so because no tokens were left.
    return reply.model_copy(update={"finish_reason": "length"}) if intent.form == "truncated" else reply


def bad_args(intent: BadArgs, ask: Ask) -> Completion:
    """Return the step with its args written as the intent says."""
    call = CallTool(tool=intent.tool, thought=intent.thought)
    if ask.dialect == "native":
        return _with_arguments(render_reply(call, ask), intent.text)
    marks = find_markup(ask.dialect)
    text = intent.text if marks is not JSON or is_json(intent.text) else json.dumps(intent.text, ensure_ascii=False)
    only_call = f'{{"{TOOL_CALLS}": [{{"name": {json.dumps(intent.tool, ensure_ascii=False)}, "args": {text}}}]}}'
    broken = {step_names(ask.fields)[2]: text, TOOL_CALLS: only_call}
    pieces = ((name, broken.get(name, value)) for name, value in marks.render_pieces(fill_fields(call, ask)))
    return Completion(content=marks.render_reply(pieces))


def _garble_native(intent: Garbled, ask: Ask) -> Completion:
    """Arguments in a broken form; where nothing of the form is left, a text without any call."""
    whole = render_reply(intent.meant, ask)
    if intent.form == "truncated" and whole.content and not whole.tool_calls:
        return whole.model_copy(update={"content": whole.content[: int(len(whole.content) * intent.cut)]})
    if isinstance(intent.meant, Answer) or intent.form in _WITHOUT_CALL:
        return Completion(content=_break_text(intent, fill_fields(intent.meant, ask), LABEL))
    if intent.form == "missing-field":
        call = whole.tool_calls[0].model_copy(update={"name": ""})
        return whole.model_copy(update={"tool_calls": (call,)})
    if intent.form == "missing-args":
        return _with_arguments(whole, "")
    if intent.form in ("renamed-args", "flat-args"):
        args = calls_of(intent.meant)[0].args
        moved: JsonObject = {"arguments": args} if intent.form == "renamed-args" else {"arguments": {}, **args}
        return _with_arguments(whole, JSON.render_reply(JSON.render_pieces(moved)))
    return _with_arguments(whole, _break_text(intent, calls_of(intent.meant)[0].args, JSON))


def _with_arguments(completion: Completion, arguments: str) -> Completion:
    calls: tuple[ToolCall, ...] = tuple(
        call.model_copy(update={"arguments": arguments}) for call in completion.tool_calls
    )
    return completion.model_copy(update={"tool_calls": calls})


def _break_text(intent: Garbled, said_there: JsonObject, markup: Markup) -> str:
    values = dict(markup.gather_outputs(said_there))
    tool = step_names(values)[1]
    # An output that may be null can be left out of a reply: what is broken is one that says something.
    said = [name for name, value in values.items() if value is not None] or list(values)
    field = tool if tool in values else next(reversed(said), "")
    return FORMS[intent.form](Draft(values, markup, field, intent.cut))


#: What the samples say.
STEP = CallTool(tool="add", args={"a": 2, "b": 3}, thought="I add them.")
ANSWER = Answer(outputs={"answer": "5"}, reasoning="2 and 3 make 5.")


@dataclass(frozen=True)
class Sample:
    """A reply in a malformed form, as an LM would write it."""

    dialect: str
    #: What is meant: "step" or "answer".
    meant: str
    text: str
    #: Whether a lenient reader may take it for what is meant; else whatever it reads is a guess.
    may_be_read: bool


def list_samples(form: GarbledForm) -> Iterator[Sample]:
    """Yield the sample step in each dialect, followed by the sample answer unless the form leaves the same of both."""
    for dialect in DIALECTS:
        fields = {"machina": (*STEPS[1], RESPONSE), "native": ()}.get(dialect, STEPS[0])
        step = _make_sample(form, STEP, Ask(phase="step", dialect=dialect, fields=fields))
        yield step
        answer = _make_sample(form, ANSWER, Ask(phase="extraction", dialect=dialect, fields=(REASONING, "answer")))
        if answer.text != step.text:
            yield answer


def _make_sample(form: GarbledForm, meant: CallTool | Answer, ask: Ask) -> Sample:
    intent = Garbled(form=form, meant=meant)
    reply = garble_reply(intent, ask)
    # A native call is shown by its name and the text of its arguments.
    calls = [f"tool call: name {call.name!r}, arguments {call.arguments!r}" for call in reply.tool_calls]
    text = "\n".join([*([reply.content] if reply.content is not None else []), *calls])
    return Sample(ask.dialect, "step" if meant is STEP else "answer", text, read_leniently(intent, ask) is not None)


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
