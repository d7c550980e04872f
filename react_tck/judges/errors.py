"""Errors, calls that are to end in one, texts and names lost without (SIG-007, ERR-004, 011, 017, 020 to 023, 028)."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.dialects.markup import NO_ENCODING, as_text, is_encodable
from react_tck.dialects.reading import takes_submit
from react_tck.fakes.malformed import read_leniently, requirement_of
from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.outputs import find_final_reply
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Garbled, Submit
from react_tck.model.lm import Completion
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure, Outcome, UnreadableTrace, read_trace
from react_tck.model.record import Asked, Called, Changed, Event, Hung, Record, Returned, ToolRan
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.reactions import Reaction, yield_reactions
from react_tck.record.values import is_same_value, strip_texts, unify_line_ends
from react_tck.record.visibility import ToolName, hides_value, names_whole_word, read_case_name

#: What a program raises where nobody thought of the case, by its language, as a harness names the type.
_CRASHES: Mapping[str, frozenset[str]] = {
    language: frozenset(names.split())
    for language, names in {
        "python": "AssertionError AttributeError ImportError IndexError KeyError LookupError NameError RecursionError "
        "RuntimeWarning SystemError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError SyntaxError "
        "ZeroDivisionError BaseException Exception ReferenceError",
        "javascript": "AssertionError TypeError ReferenceError RangeError EvalError InternalError",
        "java": "NullPointerException ClassCastException IndexOutOfBoundsException ArrayIndexOutOfBoundsException "
        "StringIndexOutOfBoundsException NegativeArraySizeException ArithmeticException "
        "ConcurrentModificationException NoSuchElementException UnsupportedOperationException StackOverflowError "
        "KotlinNullPointerException UninitializedPropertyAccessException NoWhenBranchMatchedException "
        "Exception Throwable",
        "c#": "NullReferenceException KeyNotFoundException IndexOutOfRangeException InvalidCastException "
        "ArgumentOutOfRangeException DivideByZeroException StackOverflowException Exception",
        "elixir": "UndefinedFunctionError FunctionClauseError MatchError CaseClauseError CondClauseError KeyError "
        "WithClauseError TryClauseError BadMapError BadArityError BadFunctionError BadBooleanError BadStructError "
        "ArithmeticError ArgumentError ErlangError SystemLimitError Protocol.UndefinedError Enum.EmptyError",
        "ruby": "NoMethodError NameError TypeError KeyError IndexError ArgumentError FrozenError ZeroDivisionError "
        "NoMatchingPatternError NoMatchingPatternKeyError FiberError SystemStackError FloatDomainError",
        "go": "panic runtime.Error runtime.boundsError runtime.errorString runtime.plainError runtime.PanicNilError "
        "*runtime.TypeAssertionError *runtime.PanicNilError *reflect.ValueError runtime.errorAddressString",
        "rust": "panic Panic PanicInfo PanicHookInfo PanicException JoinError",
        "php": "TypeError ArgumentCountError DivisionByZeroError UnhandledMatchError ErrorException",
        "swift": "fatalError",
    }.items()
}
#: Languages that raise what another one does.
_ALIKE = {"typescript": "javascript", "kotlin": "java", "scala": "java", "erlang": "elixir", "gleam": "elixir"}

#: What says of a text that no encoding can carry it, in Python: of any other text it is a crash.
ENCODING = frozenset({"UnicodeEncodeError", "UnicodeDecodeError"})
#: Of a requirement on faulty replies, the one that says how a call may end with such a reply.
_ENDINGS: Mapping[str, str] = {"ERR-001": "ERR-020", "ERR-002": "ERR-021", "ERR-005": "ERR-020"}


def has_wrong_inputs(scene: Scene) -> bool:
    """Whether the call's inputs aren't those of the signature; a transcript with no input goes on with its history."""
    call, is_transcript = scene.invocation, scene.case.options.system == "transcript"
    goes_on = is_transcript and scene.is_given_a_history and not call.inputs
    is_resumed = call.suspension is not None
    return not (goes_on or is_resumed or scene.case.signature.takes_inputs(call.inputs))


def find_unrefused_inputs(scene: Scene) -> Iterator[Violation]:
    """Yield the first request of a call whose inputs aren't those of the signature."""
    if not scene.record.requests or not has_wrong_inputs(scene):
        return
    signature, given = scene.case.signature, scene.invocation.inputs
    named = [field.name for field in signature.inputs]
    wrong = [f"it lacks {name!r}" for name in named if name not in given and name != signature.history_field]
    wrong += [f"the signature has no input {name!r}" for name in given if name not in named]
    expected = f"the call is refused: {' and '.join(wrong)}"
    yield Violation(expected, "the LM was asked", scene.record.requests[0], "SIG-007")


def find_crash(error: Failure, manifest: Manifest, at: Event | None = None, *beside: str) -> Violation | None:
    """Return what is wrong with an error that doesn't say by its type what happened: nobody thought of the case.

    What the subject's parser refuses a reply with is no crash, whatever it is called, nor are the types beside it.
    """
    name = error.type.rpartition(".")[2]
    language = manifest.language.lower()
    crashes = _CRASHES.get(_ALIKE.get(language, language), frozenset().union(*_CRASHES.values()))
    if {error.type, name} & {*manifest.parse_errors, *beside} or not {error.type, name} & crashes:
        return None
    how = f"{name} is how {manifest.language} crashes: who raises it on purpose declares it in `parse_errors`"
    expected = f"an error of a type that says what happened ({how})"
    return Violation(expected, f"{error.type}: {error.message}", at)


def find_crashes(evidence: Evidence) -> Iterator[Violation]:
    """Yield every call that a faulty reply, or one with args that don't fit, ends with a crash."""
    for asked, ended in pairwise(evidence.record.events):
        if not (isinstance(asked, Asked) and isinstance(ended, Returned) and ended.outcome.error):
            continue
        case, error = evidence.episode.case, ended.outcome.error
        fault = find_fault_requirement(asked, case)
        requirement_id = (fault and _ENDINGS.get(fault, fault)) or (
            "ERR-004" if _has_only_bad_args(asked, case) else None
        )
        if requirement_id and (crash := find_crash(error, evidence.manifest, ended)):
            yield crash.with_requirement(requirement_id)


def _has_only_bad_args(asked: Asked, case: Case) -> bool:
    """Whether all that is wrong with a call are its args: neither how the tool is made nor how it is run is odd."""
    call = asked.intent
    tool = next((tool for tool in case.tools if isinstance(call, CallTool) and tool.name == call.tool), None)
    if tool is None or tool.is_async or tool.callable_form != "function":
        return False
    assert isinstance(call, CallTool)
    has_more = not tool.is_open and not set(call.args) <= set(tool.parameter_names)
    return has_more or not Draft202012Validator(tool.parameters).is_valid(call.args)


def find_hangs(record: Record) -> Iterator[Violation]:
    """ERR-012: a call that never comes back from an LM that says nothing."""
    for event in record.events:
        if isinstance(event, Hung):
            expected = "the call ends, with an error or after a recovery, though the LM says nothing"
            yield Violation(expected, event.message, event, "ERR-012")


def find_fault_requirement(asked: Asked, case: Case) -> str | None:
    """Return the requirement that says what may become of a faulty reply; None if nothing is wrong with it."""
    match asked.intent:
        case BadArgs():
            return "ERR-002"
        case CallTool(tool=tool) if read_case_name(tool, case).match != "exact":
            return "ERR-001"
        case Garbled() as garbled if asked.ask and read_leniently(garbled, asked.ask) is None:
            return requirement_of(garbled.form, asked.ask.phase)
    return None


#: What an observation says that stands for a result which was refused.
REFUSAL = re.compile(r"error|exception|refuse|invalid|can(?:no|'|’)t|unable", re.IGNORECASE)


def find_lost_texts(scene: Scene) -> Iterator[Violation]:
    """Text that no encoding can carry, and that was lost: by a crash, or without a word (ERR-017)."""
    events = tuple(event for event in scene.record.events if not isinstance(event, Changed))
    for event, then in pairwise(events):
        if is_encodable(given := _find_value_to_show(scene, event)):
            continue
        error = then.outcome.error if isinstance(then, Returned) else None
        if error and (crash := find_crash(error, scene.manifest, then, *ENCODING)):
            yield crash.with_requirement("ERR-017")
        asked = then if isinstance(then, Asked) else None
        missing = [part for part in encodable_parts(given) if asked and hides_value(asked.request.text, part)]
        is_refused = isinstance(event, ToolRan) and asked and REFUSAL.search(asked.request.text)
        if missing and not is_refused:
            yield Violation(f"what can be encoded of {given!r} is shown", f"{missing} is not", asked, "ERR-017")


def _find_value_to_show(scene: Scene, event: Event) -> JsonValue:
    """Return what the subject is given to show: inputs at the beginning, and what a tool returned."""
    match event:
        case Called() if scene.max_steps and scene.invocation.suspension is None:
            shown = (field.name for field in scene.case.signature.inputs if not field.is_image)
            return {name: scene.invocation.inputs[name] for name in shown if name in scene.invocation.inputs}
        case ToolRan(odd=False, refused=None, result=result):
            return result
    return None


def encodable_parts(value: JsonValue) -> Iterator[str]:
    """Yield what of a value's texts can be encoded."""
    match value:
        case str():
            yield from (part.strip() for part in NO_ENCODING.split(value) if part.strip())
        case dict():
            for inner in value.values():
                yield from encodable_parts(inner)
        case list():
            for inner in value:
                yield from encodable_parts(inner)


def find_rewritten_outputs(scene: Scene) -> Iterator[Violation]:
    """Yield outputs with other line ends; and, of JSON, which says where a text ends, without blank space (ERR-023)."""
    said = find_final_reply(scene)
    if said is None or not isinstance(said.intent, Answer | Submit):
        return
    reply = said.completion or Completion()
    is_json = bool(reply.tool_calls) or (reply.content or "").lstrip().startswith("{")
    for ended in scene.record.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            for name, given in said.intent.outputs.items():
                value = ended.outcome.outputs.get(name)
                if _is_rewritten(given, value, is_bounded=is_json):
                    expected = f"the output {name!r} is {given!r}, line ends and blank space included"
                    yield Violation(expected, f"it is {value!r}", ended, "ERR-023")


def _is_rewritten(given: JsonValue, value: JsonValue, *, is_bounded: bool) -> bool:
    one, other = strip_texts(given), strip_texts(value)
    if is_same_value(one, other):
        return is_bounded and not is_same_value(given, value)
    return is_same_value(unify_line_ends(one), unify_line_ends(other))


def find_concealed_names(evidence: Evidence) -> Iterator[Violation]:
    """Yield the unknown names that nobody was told of."""
    episode, record = evidence.episode, evidence.record
    # What doesn't fit into a prompt any more may be left out of it.
    if not is_plain_loop(episode.case) or any(isinstance(asked.intent, Fault) for asked in record.requests):
        return

    def is_to_be_told(asked: Asked) -> bool:
        if not isinstance(asked.intent, CallTool) or asked.ask is None:
            return False
        name = read_case_name(asked.intent.tool, episode.case)
        # Who takes the outputs by `submit` has that tool besides those of the case.
        return _is_to_be_told(name) and not (name.bare == SUBMIT and takes_submit(asked))

    for reaction in yield_reactions(episode, record, is_to_be_told):
        # An error at the last step is about the steps that ran out (LOOP-004, choice `steps-exhausted`).
        if reaction.is_last_step and reaction.course == "error":
            continue
        assert isinstance(reaction.asked.intent, CallTool)
        name = read_case_name(reaction.asked.intent.tool, episode.case).bare
        if violation := find_untold_name(reaction, name):
            yield violation.with_requirement("ERR-028")
        if reaction.course == "observe":
            yield from _find_unrecorded_name(record.of_call(reaction.asked.invocation), name)


def find_untold_name(reaction: Reaction, name: str) -> Violation | None:
    """Return what is wrong if neither the request after that turn shows the name, nor the error does."""
    match reaction.by:
        case Asked(request=request) if not names_whole_word(request.text, name):
            return Violation(f"the next request tells of {name!r}", "it does not", reaction.by)
        case Returned(outcome=outcome) if outcome.error:
            told = f"{outcome.error.type}: {outcome.error.message}"
            if not names_whole_word(told, name):
                return Violation(f"the error tells of {name!r}", f"it says {told}", reaction.by)
    return None


def _find_unrecorded_name(call: Record, name: str) -> Iterator[Violation]:
    """Yield the trajectory of a successful call that went on after an unknown tool, without the name of it."""
    for ended in call.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            recorded = _list_recorded_tools(ended.outcome)
            if not any(names_whole_word(tool, name) for tool in recorded):
                expected = f"the trajectory names {name!r}, of a step that was taken"
                yield Violation(expected, f"it names {recorded}", ended, "TRJ-002")


def _list_recorded_tools(outcome: Outcome) -> list[str]:
    """Return the tools of the steps, or the whole trajectory where its form doesn't say which they are."""
    with suppress(UnreadableTrace):
        if tools := [as_text(step.parts["tool"]) for step in read_trace(outcome).steps if "tool" in step.parts]:
            return tools
    return [as_text(outcome.trajectory)]


def _is_to_be_told(name: ToolName) -> bool:
    """No name can't be told; and who finishes at `finish()` needn't speak of it."""
    return name.match in ("other letters", "unknown") and bool(name.bare) and FINISH not in name.bare.lower()
