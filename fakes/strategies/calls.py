"""How an instance is called: with inputs and earlier turns, by which entry point, and what a person responds."""

import json

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.cases import values_of
from react_tck.fakes.strategies.draws import among, counts
from react_tck.fakes.strategies.reach import Reach
from react_tck.fakes.strategies.replies import draw_args
from react_tck.fakes.strategies.texts import injections, texts, unencodable_texts
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Mode, Resumption
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

#: Limits of a loop; the first leaves it to the subject.
MAX_STEPS = (None, None, 5, 3, 2, 1, 0)
PLAIN_INPUTS: st.SearchStrategy[JsonValue] = st.one_of(texts(), texts(), texts(), injections())
#: The same, and texts with blank space that a resumed call may lose.
INDENTED_INPUTS = st.one_of(PLAIN_INPUTS, PLAIN_INPUTS, PLAIN_INPUTS, st.just("    indented,  two  blanks  "))
#: The same, and texts that no encoding can carry; on a wire it is the harness's JSON library that meets half a pair.
_ANY_INPUTS = {halves: st.one_of(PLAIN_INPUTS, unencodable_texts(halves=halves)) for halves in (True, False)}


def draw_invocation(
    draw: st.DrawFn,
    reach: Reach,
    signature: Signature,
    limits: tuple[int | None, ...] = MAX_STEPS,
    *,
    adapters: tuple[str | None, ...] = (None,),
    texts: st.SearchStrategy[JsonValue] = PLAIN_INPUTS,
) -> Invocation:
    """One call, with earlier turns where the signature has a history; under one of the adapters (ADP-005)."""
    own = (None, None, None, *limits) if reach.has("call-max-steps") else (None,)
    return Invocation(
        inputs=_draw_inputs(draw, signature, texts),
        history=_draw_history(draw, signature) if signature.history_field else None,
        mode=draw_mode(draw, reach),
        max_steps=draw(among(own)),
        adapter=draw(among(adapters)),
    )


def any_inputs(reach: Reach) -> st.SearchStrategy[JsonValue]:
    """Texts for inputs, those that no encoding can carry among them."""
    return _ANY_INPUTS[reach.has("caller-objects")]


def draw_mode(draw: st.DrawFn, reach: Reach) -> Mode:
    """Mostly the synchronous entry point."""
    modes: tuple[Mode, ...] = ("sync", "sync", "async") if reach.has("async") else ("sync",)
    return draw(among(modes))


def chain_calls(draw: st.DrawFn, calls: tuple[Invocation, ...]) -> tuple[Invocation, ...]:
    """Draw the same calls, each going on with the history of one before it: mostly the last, sometimes none."""
    followed = (_chain_call(draw, call, number) for number, call in enumerate(calls))
    return tuple(followed)


def _chain_call(draw: st.DrawFn, call: Invocation, number: int) -> Invocation:
    earlier = (number - 1, number - 1, number - 1, 0, None) if number else (None,)
    return call.model_copy(update={"follows": draw(among(earlier))})


def _draw_inputs(draw: st.DrawFn, signature: Signature, texts: st.SearchStrategy[JsonValue]) -> JsonObject:
    """Return a value of each input; now and then one too few, or one that the signature doesn't have (SIG-007)."""
    own = [each for each in signature.inputs if not each.history]
    inputs = {each.name: draw(texts if each.is_text else values_of(each)) for each in own}
    match draw(among(_FORMS_OF_INPUTS)):
        case "one too few" if own:
            del inputs[own[-1].name]
        case "one too many":
            inputs[_UNKNOWN_INPUT] = draw(texts)
    return inputs


def _draw_history(draw: st.DrawFn, signature: Signature) -> tuple[JsonObject, ...]:
    fields = [field for field in (*signature.inputs, *signature.outputs) if not field.history]
    return tuple({field.name: draw(values_of(field)) for field in fields} for _ in range(draw(counts(0, 2))))


#: Seldom, since such a call ends where it begins.
_FORMS_OF_INPUTS = (*("all",) * 38, "one too few", "one too many")
#: No field and no option of anybody's is called so.
_UNKNOWN_INPUT = "lighthouse"
_SAID = {
    "plain": ("yes", "yes", "yes", "y", "no", "n"),
    "words": ("Not now.", "Yes, but only the FIRST page", "no, look it up", "Rome", "braces {}, no edit"),
    # What looks like an edit and is none; and nothing at all (CNF-012).
    "unreadable": ('{"edit": {"name": ', '{"edit": "add"}', '{"edit": {"args": [1]}}', '{"edit": {}}', "{}", ""),
}
_KINDS = ("plain",) * 5 + ("edit",) * 3 + ("words", "words", "unreadable")
#: What a person says; who does what is asked gets further: to the second suspension, to the end.
_PERSONS = (_KINDS, _KINDS, ("plain",), ("plain", "edit"))
#: What an edit gives; what it doesn't stays as the LM has it.
_EDITED = (("name", "args"), ("name", "args"), ("args",), ("name",))
#: How often a person responds: mostly often enough for a call to come to its end.
_TIMES = (0, 1, 2, 3, 4, 6, 6, 6)
#: An id that nothing was ever asked under.
_UNKNOWN_ID = "an-id-of-nobodys"


def draw_resumptions(
    draw: st.DrawFn, reach: Reach, tools: tuple[Tool, ...], *, elsewhere: bool
) -> tuple[Resumption, ...]:
    """Return what a person responds, time and again; `elsewhere`, now and then to another instance."""
    kinds = draw(among(_PERSONS))
    return tuple(_draw_resumption(draw, reach, tools, kinds, elsewhere=elsewhere) for _ in range(draw(among(_TIMES))))


def _draw_resumption(
    draw: st.DrawFn, reach: Reach, tools: tuple[Tool, ...], kinds: tuple[str, ...], *, elsewhere: bool
) -> Resumption:
    moves = (False, False, False, elsewhere and reach.has("portable-state"))
    return Resumption(
        response=_draw_response(draw, tools, kinds),
        mode=draw_mode(draw, reach),
        confirmation_id=draw(among((None,) * 9 + (_UNKNOWN_ID,))),
        elsewhere=draw(among(moves)),
    )


def _draw_response(draw: st.DrawFn, tools: tuple[Tool, ...], kinds: tuple[str, ...]) -> str:
    match draw(among(kinds)):
        case "edit" if tools:
            return _draw_edit(draw, tools[draw(counts(0, len(tools) - 1))])
        case kind:
            said: str = draw(among(_SAID.get(kind, _SAID["plain"])))
            return said


def _draw_edit(draw: st.DrawFn, tool: Tool) -> str:
    """Of both keys or of one; now and then without the args that the tool doesn't need, which the LM may have given."""
    args = draw_args(draw, tool, is_sparing=draw(among((False, True))))
    edit = {"name": tool.name, "args": args}
    return json.dumps({"edit": {key: edit[key] for key in draw(among(_EDITED))}})
