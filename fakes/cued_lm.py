"""The LM of an agent's test: whatever is asked, it says the next of its cues; it keeps a journal of all of it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Annotated

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import Field, JsonValue, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.dialects import DIALECTS, render_reply
from react_tck.dialects.fields import TOOL_CALLS, calls_of, strict_json
from react_tck.dialects.markup import as_text
from react_tck.dialects.reading import RequestReader
from react_tck.fakes.journal import Complaints, Journal
from react_tck.fakes.malformed import bad_args
from react_tck.model.base import JsonObject, describe_mistakes
from react_tck.model.cue import Cue
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Fault, Raw, Reply
from react_tck.model.lm import Ask, Completion, LMRequest, ToolOffer
from react_tck.model.record import Asked


def find_unmet_demands(completion: Completion, request: LMRequest, on_purpose: bool = False) -> Iterator[str]:
    """Yield a sentence for every demand that the reply doesn't meet; args may be wrong on purpose."""
    yield from _check_choice(completion, request)
    if len(completion.tool_calls) > 1 and not request.parallel_tool_calls:
        yield f"the request allows one call at a time, and the reply makes {len(completion.tool_calls)}"
    strict = {offer.name: offer.parameters for offer in request.tools if offer.strict and not on_purpose}
    for call in completion.tool_calls:
        if wrong := _find_misfit(call.arguments, strict.get(call.name)):
            yield f"{call.name!r} is strict, and its arguments {call.arguments} don't fit: {wrong}"
    if not completion.tool_calls and (wrong := _find_misfit(completion.content or "", request.answer_schema)):
        yield f"the answer isn't what the request's schema demands: {wrong}"


def find_wrong_calls(completion: Completion, request: LMRequest, is_garbled: bool) -> Iterator[str]:
    """Yield a sentence for every call of a tool that isn't offered, or that doesn't take these args."""
    offered = {offer.name: offer.parameters for offer in request.tools}
    meant = "where that is meant, the reply says so: on_purpose"
    for name in dict.fromkeys(call.name for call in completion.tool_calls if call.name not in offered):
        yield f"the reply calls {name!r}, which isn't among the tools offered ({', '.join(offered) or 'none'}); {meant}"
    for call in () if is_garbled else completion.tool_calls:
        with suppress(ValueError):  # a number that JSON doesn't have
            if wrong := _list_misfits(strict_json(call.arguments), offered.get(call.name, {})):
                yield f"the reply calls {call.name!r} with {call.arguments}: {', '.join(wrong)}; {meant}"


def _check_choice(completion: Completion, request: LMRequest) -> Iterator[str]:
    called = [call.name for call in completion.tool_calls]
    match request.tool_choice:
        case None | "auto":
            return
        case "none" if called:
            yield f"the request lets no tool be called, and the reply calls {called[0]!r}"
        case "required" if not called:
            yield "the request demands that a tool is called, and the reply calls none"
        case name if name not in ("none", "required") and set(called) != {name}:
            yield f"the request demands a call of {name!r}, and the reply calls {', '.join(called) or 'none'}"


def _find_misfit(text: str, schema: Mapping[str, JsonValue] | None) -> str | None:
    """Return what is wrong with a JSON text, if it has to fit a schema."""
    if schema is None:
        return None
    try:
        value = strict_json(text)
    except ValueError as error:
        return f"it is not JSON: {error}"
    return next(iter(_list_misfits(value, schema)), None)


def _list_misfits(value: JsonValue, schema: Mapping[str, JsonValue]) -> list[str]:
    """Return what is wrong with a value; nothing where the schema is none, or lies elsewhere."""
    try:
        Draft202012Validator.check_schema(schema)
        found = list(Draft202012Validator(schema, registry=Registry()).iter_errors(value))
    except (SchemaError, Unresolvable):
        return []
    names = list(_list_wrong_names(value, schema)) if isinstance(value, dict) else []
    told = [each for each in found if each.path or each.validator not in ("required", "additionalProperties")]
    return names + [f"at {each.json_path}, {each.message}" for each in (told if names else found)]


def _list_wrong_names(values: JsonObject, schema: Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield the names that are missing, and those that nobody has asked for, where the schema has a say in them."""
    properties, required = schema.get("properties"), schema.get("required")
    yield from (
        f"{name!r} is missing" for name in (required if isinstance(required, list) else ()) if name not in values
    )
    if isinstance(properties, dict) and not _OPEN & schema.keys() and not schema.get("additionalProperties"):
        yield from (f"there is no {name!r}" for name in values if name not in properties)


#: What a function makes of a request: the reply to it, as a `Cue` or in the words of a script, such as `{"says": "5"}`.
Respond = Callable[[LMRequest], Cue | Mapping[str, object]]

#: By these a schema takes names that don't stand among its properties.
_OPEN = frozenset(("$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"))
_NATIVE = Ask(phase="step", dialect="native", fields=())
#: Dialects whose requests say in words which fields they want; others have no fields to be answered.
_IN_WORDS = RequestReader(tuple(name for name in DIALECTS if name != "native"))


class CueByFunction(Cue):
    """A reply to those requests only that a function of the test's looks for."""

    when_function: Annotated[Callable[[LMRequest], object], Field(exclude=True)]


class CuedLM:
    """Says its cues in order, each as often as it says.

    A request is given the first cue left that is for it: those with a condition that it meets come before those
    without one, and what stays and functions after the others. Where there is none it is refused, and the refusal
    stands in the journal even if the agent swallows it. Every request is one of its own: who tries again after a
    failure is given the cue after the failure.

    >>> from react_tck.fakes.cued_lm import CuedLM
    >>> from react_tck.fakes.journal import Journal
    >>> from react_tck.model.cue import Cue
    >>> from react_tck.model.lm import LMRequest, Message
    >>> lm = CuedLM(Journal(), [Cue(says="It is 5."), Cue(when="weather", says="Sunny.")])
    >>> lm.complete(LMRequest(messages=(Message(role="user", content="How is the weather?"),))).content
    'Sunny.'
    >>> [cue.says for cue in lm.left_over]
    ['It is 5.']
    """

    def __init__(self, journal: Journal, cues: Iterable[Cue | Respond] = (), checks: bool = True) -> None:
        self._journal = journal
        #: Whether calls are held against the tools that are offered.
        self._checks = checks
        self._cues = list(cues)
        #: Of the replies that are given until a text is shown, those that were given.
        self._given: dict[int, Cue] = {}
        self._lock = Lock()
        #: What is wrong with replies that were given all the same.
        self.complaints = Complaints()

    def add_cue(self, cue: Cue | Respond) -> None:
        """Say this too, after all others."""
        with self._lock:
            self._cues.append(cue)

    @property
    def left_over(self) -> tuple[Cue, ...]:
        """The cues that were never said; those that stay may remain, and so may functions."""
        left = (cue for cue in self._cues if isinstance(cue, Cue) and not cue.is_repeated)
        return tuple(cue for cue in left if id(cue) not in self._given)

    def complete(self, request: LMRequest) -> Completion:
        """Return the reply to a request.

        Raises:
            LMRefusal: if no cue is left for it, or an answer that isn't what the request's schema demands.
            LMFault: if the provider fails here.
        """
        with self._lock:
            return self._complete_request(request)

    def _complete_request(self, request: LMRequest) -> Completion:
        seen = partial(Asked, invocation=self._journal.invocation, request=request)
        try:
            cue = self._take_cue(request)
            reply = cue.reply
            completion = None if isinstance(reply, Fault) else _write_checked(reply, request, cue.on_purpose)
        except LMRefusal as refusal:
            self._journal.add_request(partial(seen, refusal=str(refusal)))
            raise
        if completion:
            completion = cue.shape_completion(completion)
            is_checked = self._checks and not cue.on_purpose
            for wrong in find_wrong_calls(completion, request, cue.garbles is not None) if is_checked else ():
                self.complaints.add(f"request {self._number_of_next}: {wrong}")
        self._journal.add_request(partial(seen, intent=reply, completion=completion))
        if completion is None:
            raise LMFault(reply.fault if isinstance(reply, Fault) else "")
        return completion

    @property
    def _number_of_next(self) -> int:
        """The number of the request that is next to be put down in the journal."""
        return self._journal.forgotten + len(self._journal.read_record("").requests) + 1

    def _take_cue(self, request: LMRequest) -> Cue:
        meant = [each for each in self._cues if not isinstance(each, Cue) or _is_for(each, request)]
        if not meant:
            raise LMRefusal(self._nothing_left(request))
        found = min(meant, key=_rank_cue)
        if not isinstance(found, Cue):
            return _call_responder(found, request)
        if found.until is not None:
            self._given[id(found)] = found
        elif isinstance(found.times, int):
            at, left = self._cues.index(found), found.times - 1
            self._cues[at : at + 1] = [found.model_copy(update={"times": left})] if left else []
        return found

    def _nothing_left(self, request: LMRequest) -> str:
        earlier = self._journal.read_record("").requests
        conditional = [cue for cue in self._cues if isinstance(cue, Cue) and _is_conditional(cue)]
        wanted = ", ".join(str(cue.when or "what a function looks for") for cue in conditional)
        others = f"those left are for requests with {wanted}, and this asks model {request.model!r}"
        left = others if wanted else "none is left"
        first = self._journal.forgotten + 1
        repeat = _describe_repeat(request, earlier, first)
        return f"no reply is for request {self._number_of_next}: {left}; it is {repeat}"


def _is_for(cue: Cue, request: LMRequest) -> bool:
    if (cue.until is not None and cue.until in request.text) or (cue.when and not cue.when.is_met(request)):
        return False
    return not isinstance(cue, CueByFunction) or bool(_call_function(cue.when_function, request))


def _is_conditional(cue: Cue) -> bool:
    return cue.when is not None or isinstance(cue, CueByFunction)


def _rank_cue(cue: Cue | Respond) -> tuple[bool, bool]:
    """Of those that are for a request, the first of the lowest is given."""
    return (not _is_conditional(cue), cue.is_repeated) if isinstance(cue, Cue) else (True, True)


def _call_function(function: Callable[[LMRequest], object], request: LMRequest) -> object:
    """Return what a function of the test's makes of a request.

    Raises:
        LMRefusal: if it raises.
    """
    try:
        return function(request)
    except Exception as error:
        name = getattr(function, "__name__", repr(function))
        raise LMRefusal(f"the function {name!r} raised {type(error).__name__}: {error}") from error


def _call_responder(respond: Respond, request: LMRequest) -> Cue:
    """Return what a function of the test's replies.

    Raises:
        LMRefusal: if it raises, or gives what is no reply.
    """
    name = getattr(respond, "__name__", repr(respond))
    made = _call_function(respond, request)
    if not isinstance(made, Cue | Mapping):
        raise LMRefusal(f"the function {name!r} gave {made!r}, not a reply such as {{'says': 'It is 5.'}}")
    try:
        return Cue.model_validate(made)
    except ValidationError as error:
        wrong = "; ".join(describe_mistakes(Cue, error))
        raise LMRefusal(f"the function {name!r} gave {made!r}, which is no reply: {wrong}") from None


def _describe_repeat(request: LMRequest, earlier: Sequence[Asked], first: int) -> str:
    """Which of the earlier requests this one is, and whether it had a reason to come again; `first` numbers them."""
    if not earlier:
        return "the first request"
    same = [number for number, asked in enumerate(earlier, start=first) if asked.request == request]
    if not same:
        return f"another request than request {first + len(earlier) - 1}"
    before = earlier[same[-1] - first]
    again = f"request {same[-1]} once more, which"
    if isinstance(before.intent, Fault):
        return f"{again} failed with {before.intent.fault}: a retry"
    return f"{again} {'was refused too' if before.refusal else 'was answered: an agent that goes round in circles'}"


def _write_checked(reply: Reply, request: LMRequest, on_purpose: bool) -> Completion:
    """Return the reply as the request asks for it.

    Raises:
        LMRefusal: if it is none that a provider would give; what is garbled, and a text, may be one.
    """
    completion = _write_completion(reply, request)
    wrong = next(find_unmet_demands(completion, request, on_purpose), None)
    if wrong and isinstance(reply, CallTool | Calls | Answer):
        raise LMRefusal(wrong)
    return completion


def _write_completion(reply: Reply, request: LMRequest) -> Completion:
    match reply:
        case CallTool() | Calls():
            return render_reply(reply, _choose_step_form(request, calls=len(calls_of(reply))))
        case BadArgs():
            return bad_args(reply, _choose_step_form(request))
        case Answer():
            return _write_answer(reply, request)
        case Raw(text=text):
            return Completion(content=text)
    raise AssertionError(reply)


def _choose_step_form(request: LMRequest, calls: int = 1) -> Ask:
    """Return how a call is written: in words, where the request offers no tools and asks for a step in words.

    Raises:
        LMRefusal: if several are more than can be written so.
    """
    reading = None if request.tools else _IN_WORDS.read(request)
    if reading is None or reading.phase != "step":
        return _NATIVE
    ask = reading.ask
    if calls > 1 and TOOL_CALLS not in ask.fields:
        raise LMRefusal(f"the request asks for one call, in {ask.dialect}, and the reply makes {calls}")
    return ask


def _write_answer(answer: Answer, request: LMRequest) -> Completion:
    """In the fields that the request asks for in words; as the call that it demands; as an object; or as a text."""
    schema, demanded = request.answer_schema, _find_demanded_tool(answer, request)
    if schema is None and demanded is None and (reading := _IN_WORDS.read(request)):
        return render_reply(answer, reading.ask)
    if wrong := ", ".join(_list_wrong_names(answer.outputs, schema or {})):
        asked_for = ", ".join(request.demanded_fields)
        raise LMRefusal(f"the answer isn't what the request's schema demands ({asked_for}): {wrong}")
    if demanded is not None:
        return render_reply(CallTool(tool=demanded, args=answer.outputs), _NATIVE)
    return Completion(content=as_text(answer.outputs))


def _find_demanded_tool(answer: Answer, request: LMRequest) -> str | None:
    """Return the tool that has to be called; of several, the one that takes exactly these values.

    Raises:
        LMRefusal: if none does, or more than one.
    """
    if request.tool_choice != "required" or not request.tools:
        return next((offer.name for offer in request.tools if offer.name == request.tool_choice), None)
    if len(request.tools) == 1:
        return request.tools[0].name
    takers = [each for each in request.tools if _takes_exactly(each, answer.outputs)]
    if len(takers) == 1:
        return takers[0].name
    near = (takers or sorted(request.tools, key=lambda each: -len(_parameters_of(each) & answer.outputs.keys())))[0]
    names, values = ", ".join(each.name for each in takers or request.tools), ", ".join(answer.outputs)
    args = "".join(f", {name}={json.dumps(value)}" for name, value in answer.outputs.items())
    write = f'write calls("{near.name}"{args})'
    if takers:
        found = f"several of the tools offered ({names}) take {values}: {write}, or another's name"
    else:
        found = f"none of the tools offered ({names}) takes exactly {values}: {write} with what it takes"
    raise LMRefusal(f"the request demands a call, and {found}")


def _takes_exactly(offer: ToolOffer, values: JsonObject) -> bool:
    return values.keys() <= _parameters_of(offer) and not _list_misfits(values, offer.parameters)


def _parameters_of(offer: ToolOffer) -> set[str]:
    properties = offer.parameters.get("properties")
    return set(properties) if isinstance(properties, dict) else set()
