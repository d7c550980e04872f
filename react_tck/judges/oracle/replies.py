"""What may be made of the LM's reply to a request for a step: the calls it makes, and what is out of order about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.fields import FINISH
from react_tck.dialects.notations import NEXT_TO_NOTHING, is_nothing, is_plain_json
from react_tck.dialects.reading import takes_submit
from react_tck.fakes.malformed import requirement_of
from react_tck.judges.oracle.positions import Reason
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.tool_args import arrives_but_for_line_ends, choose_sameness, nothing_forbids
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Fault, Finish, Garbled, Raw, Submit
from react_tck.model.record import Asked, ToolRan
from react_tck.record.answers import is_answer, is_text_answer, read_text
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn
from react_tck.record.values import coerce_args, fits_as_written
from react_tck.record.visibility import Match, read_name
from react_tck.reference import loop

#: Forms in which nobody finds a step or an answer.
_UNREADABLE = ("prose", "missing-field", "empty")
#: Under which variants of `tool-name-matching` a near miss names the tool.
_MATCHING: Mapping[Match, tuple[str, ...]] = {
    "near miss": ("quotes and space ignored", "case ignored"),
    "other letters": ("case ignored",),
}


@dataclass(frozen=True)
class Reader:
    """Reads the replies of one call, as leniently and as strictly as may be."""

    scene: Scene
    rules: Rules

    @cached_property
    def ending(self) -> loop.Ending:
        """How a run ends in this subject's system."""
        submits = any(map(takes_submit, self.scene.record.requests))
        return "submit" if submits or self.scene.case.options.system == "transcript" else "finish"

    @property
    def tools(self) -> tuple[str, ...]:
        """The names that the agent knows, without what ends a run."""
        return (*self.scene.tools, *self._clarification_tools)

    def is_run_of(self, call: loop.Call, run: ToolRan) -> bool:
        """Tell whether it is this call that ran, with the args that were given."""
        tool, says_the_same = self.scene.tools.get(call.name), choose_sameness(self.scene.manifest)
        if tool is None or run.tool != call.name:
            return False
        # Which line ends arrived is ERR-010's affair: the call that was due has run.
        return arrives_but_for_line_ends(call.args, run.received_args, tool.parameters, says_the_same)

    @property
    def awaited_tools(self) -> tuple[str, ...]:
        """The tools that don't run before a person has responded."""
        return (*(tool.name for tool in self.scene.tools.values() if tool.confirm), *self._clarification_tools)

    @property
    def _clarification_tools(self) -> tuple[str, ...]:
        return (self.rules.clarification_tool,) if self.scene.case.options.clarification else ()

    def read_calls(self, asked: Asked) -> Iterator[tuple[CallTool, ...]]:
        """Yield the calls that may be read in the reply, as far as the subject's choices let it.

        `finish` is one whatever its args are, since it takes none (LOOP-010).
        """
        match asked.intent:
            case BadArgs(tool=tool, thought=thought) if self.ending == FINISH and read_name(tool, (FINISH,)).tool:
                yield (CallTool(tool=FINISH, thought=thought),)
                return
            case Garbled(meant=Finish()) if self.ending == FINISH and _calls_finish(asked):
                yield (CallTool(tool=FINISH),)
        found = (tuple(self._resolve_name(call, asked) for call in calls) for calls in self._read_written_calls(asked))
        yield from (calls for calls in found if self._are_made(calls))

    def _read_written_calls(self, asked: Asked) -> Iterator[tuple[CallTool, ...]]:
        turn, allows = Turn(asked, ()), self.rules.allows_variant
        if turn.as_written:
            yield from ((call,) for call in turn.readings)
            return
        if isinstance(asked.intent, Garbled) and asked.intent.form == "two-replies":
            # The first is whole; who takes the last of two values may take the second.
            takes_last = self.rules.takes_one_of_two(asked.ask, ("last",))
            yield from ((call,) for call in (turn.readings if takes_last else turn.reply_calls))
            return
        if isinstance(asked.intent, BadArgs) and self._may_be_without_args(asked.intent):
            if allows("empty-args", "empty object"):
                yield (CallTool(tool=asked.intent.tool, args={}, thought=asked.intent.thought),)
            return
        is_repaired = isinstance(asked.intent, BadArgs) and not is_plain_json(asked.intent.text)
        is_contradicted = isinstance(asked.intent, Garbled) and asked.intent.form == "contradicted-field"
        if is_contradicted or len(turn.readings) > len(turn.reply_calls):  # a field or key stands twice
            may_read = not is_repaired or allows("args-notation", "repaired when certain")
            yield from ((call,) for call in turn.readings if may_read and self.rules.takes_one_of_two(asked.ask))
            return
        match asked.intent:
            case BadArgs(text=text) if is_nothing(text):
                may_read = allows("empty-args", "empty object")
            case Garbled(form="missing-args") if asked.ask and asked.ask.dialect == "native":
                may_read = allows("empty-args", "empty object")
            case BadArgs() if is_repaired:
                may_read = allows("args-notation", "repaired when certain")
            case _:
                may_read = True
        if may_read:
            yield turn.reply_calls

    def _may_be_without_args(self, step: BadArgs) -> bool:
        tool = self.scene.tools.get(step.tool)
        return tool is not None and not tool.parameter_names and step.text.strip() in NEXT_TO_NOTHING

    def _resolve_name(self, call: CallTool, asked: Asked) -> CallTool:
        """Return the call, of the tool that a near miss names (choice `tool-name-matching`)."""
        name = read_name(call.tool, (self.ending, *asked.list_shown(self.tools)))
        allowed = name.tool == self.ending or any(
            self.rules.allows_variant("tool-name-matching", variant) for variant in _MATCHING.get(name.match, ())
        )
        return call.model_copy(update={"tool": name.tool}) if name.tool and allowed else call

    def _are_made(self, calls: tuple[CallTool, ...]) -> bool:
        """Tell whether the calls are ones to be made: of several, unknown names are for each of them to answer."""
        return bool(calls) and (len(calls) > 1 or calls[0].tool in (self.ending, *self.tools))

    def may_answer(self, asked: Asked) -> bool:
        """Tell whether a call may end with the reply."""
        match asked.intent:
            case Raw():
                return True
            case Garbled(form="contradicted-field") if not self.rules.takes_one_of_two(asked.ask):
                return False
        return is_answer(asked, self.scene.manifest)

    def list_faults(self, asked: Asked) -> Iterator[Reason]:
        """Yield what is out of order about the reply, by the names of the choices."""
        turn = Turn(asked, ())
        is_twice = len(turn.readings) > len(turn.reply_calls) and self.rules.takes_one_of_two(asked.ask)
        found = [
            self.find_form_fault(asked),
            self._find_args_fault(asked),
            *map(self._fault_of_call, turn.readings if is_twice else turn.reply_calls),
        ]
        yield from dict.fromkeys(reason for reason in found if reason)

    def find_form_fault(self, asked: Asked) -> Reason | None:
        """Return what is out of order about the reply's form."""
        match asked.intent:
            case Fault():
                return "lm-fault"
            case BadArgs() if self.ending == FINISH and _calls_finish(asked):
                is_offered = any(offer.name == FINISH for offer in asked.request.tools)
                return None if is_offered else "unknown-tool"  # who ends by a text knows no such name
            case BadArgs(text=text) if is_nothing(text):
                return "no args"
            case BadArgs(text=text):
                return "args no object" if is_plain_json(text) else "malformed-args"
            case Garbled(meant=Answer() | Submit()):
                return "final step unreadable"
            case Garbled(form=form) if requirement_of(form, "step") == "ERR-016":
                return "field of another type"
            case Calls() if self.ending == "submit" or "parallel-tool-calls" in self.scene.manifest.capabilities:
                return None
            case CallTool() | Finish() | Submit():
                return None
        return "malformed-reply"

    def _find_args_fault(self, asked: Asked) -> Reason | None:
        """Return what is wrong about the args of a broken native call: to its reader nothing else may be broken."""
        is_native = isinstance(asked.intent, Garbled) and asked.ask is not None and asked.ask.dialect == "native"
        calls = asked.completion.tool_calls if is_native and asked.completion else ()
        is_broken = any(call.name in self.tools and not is_plain_json(call.arguments) for call in calls)
        return "malformed-args" if is_broken else None

    def _fault_of_call(self, call: CallTool) -> Reason | None:
        """Return what is out of order about a call, however broken the reply that makes it is."""
        if call.tool in (self.ending, *self._clarification_tools):
            return None
        if call.tool == FINISH:
            return "finish is no tool"
        # A near miss may be refused as an unknown name is.
        if read_name(call.tool, self.scene.tools).match != "exact":
            return "unknown-tool"
        return None if nothing_forbids(self.scene, call) else "schema-mismatch"

    def may_misfit(self, call: loop.Call) -> bool:
        """Tell whether something forbids that the call runs."""
        asked = CallTool(tool=call.name, args=call.args)
        return call.name in self.scene.tools and not nothing_forbids(self.scene, asked)

    def is_misfit(self, call: loop.Call) -> bool:
        """Tell whether the args don't fit what the tool declares."""
        return not Draft202012Validator(self.scene.tools[call.name].parameters).is_valid(call.args)

    def owes_retry(self, asked: Asked, retries: int) -> bool:
        """Whether the turn has to be asked for again (ERR-006): adapters of the caller's choice may have no retries.

        In a conversation nothing is asked again: what couldn't be read stays, and is spoken of (CNV-010).
        """
        options = self.scene.case.options
        is_conversation = options.system == "conversation" or (asked.ask is not None and asked.ask.dialect == "machina")
        configured = (options.adapter, options.module_adapter, self.scene.invocation.adapter)
        is_own = not any(configured) and not is_conversation
        is_unreadable = isinstance(asked.intent, Garbled) and asked.intent.form in _UNREADABLE
        return is_own and is_unreadable and retries > 0

    def is_sure(self, answer: Answer | Submit) -> bool:
        """Whether nothing speaks against the answer: typed ones may fail (SIG-005 is a SHOULD), but not a submit's."""
        is_text = all(field.is_text for field in self.scene.case.signature.outputs)
        return (is_text or self.ending == "submit") and self.fits_signature(answer.outputs)

    def may_refuse(self, asked: Asked) -> bool:
        """Tell whether something speaks against the answer, so that it may be asked for again or be the end."""
        is_empty = is_text_answer(asked, self.scene.manifest) and not read_text(asked).strip()
        return is_empty or not (isinstance(asked.intent, Answer | Submit) and self.is_sure(asked.intent))

    def fits_signature(self, outputs: JsonObject) -> bool:
        """Tell whether these are exactly the outputs of the signature, each of its type."""
        names = {field.name for field in self.scene.case.signature.outputs}
        return names == set(outputs) and fits_as_written(outputs, self._output_schema)

    def may_commit(self, outputs: JsonObject) -> bool:
        """Whether a submit of these may be taken: all are there, of their types or such as can be made so (TRN-005)."""
        texts = {field.name for field in self.scene.case.signature.outputs if field.is_text}
        said: JsonObject = {name: _as_text(value) if name in texts else value for name, value in outputs.items()}
        return bool(Draft202012Validator(self._output_schema).is_valid(coerce_args(said, self._output_schema)))

    @property
    def _output_schema(self) -> JsonObject:
        fields = self.scene.case.signature.outputs
        return {
            "properties": {field.name: field.json_schema for field in fields},
            "required": [field.name for field in fields],
        }


def _as_text(value: JsonValue) -> JsonValue:
    return value if value is None else str(value)


def _calls_finish(asked: Asked) -> bool:
    """Tell whether a native call of `finish` is all that the reply calls, whatever its args are."""
    return [call.name for call in (asked.completion.tool_calls if asked.completion else ())] == [FINISH]
