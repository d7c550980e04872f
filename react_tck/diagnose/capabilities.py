"""Every capability that can be tried in one small episode: what is declared is there."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from react_tck.adapter.declare import Capability
from react_tck.catalogue.registry import load_registry
from react_tck.diagnose.trial import (
    CALL,
    NOTE,
    NOTED,
    THOUGHT,
    Trial,
    Unconnected,
    check_connected,
    check_outputs,
    check_runs,
)
from react_tck.judges.choices.declared import is_as_declared, is_reported_as_declared, write_choice_line
from react_tck.judges.choices.observers import DEFAULT_STEPS
from react_tck.model.base import read_number
from react_tck.model.case import Invocation, Options, Resumption, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Calls, CallTool
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import UnreadableTrace, read_trace
from react_tck.model.requirement import OR, variants_of
from react_tck.model.signature import Form, parse_arrow
from react_tck.play.concurrent import play_together
from react_tck.play.parsing import not_as_written, read_back
from react_tck.play.session import Session
from react_tck.subjects.api import HarnessBroken, Parser

#: The dialects that an adapter can be configured for.
_CONFIGURABLE = ("chat", "json", "xml")


def _try_form(trial: Trial, form: Form) -> None:
    signature = parse_arrow("question -> answer").model_copy(update={"form": form})
    check_outputs(trial.play(signature=signature))


def _try_typed_fields(trial: Trial) -> None:
    said = trial.build_script(outputs={"answer": 5})
    check_outputs(trial.play(script=said, signature="question -> answer: int"), {"answer": 5})


def _try_history(trial: Trial) -> None:
    call = CALL.model_copy(update={"history": ({"question": "Who founded it?", "answer": "Romulus"},)})
    record = trial.play(call=call, signature="question, history: dspy.History -> answer")
    is_shown = any("Who founded it?" in asked.request.text for asked in record.requests)
    check_connected(record, is_shown, "a request shows the earlier turn, 'Who founded it?'", "none does")
    check_outputs(record)


def _try_call_max_steps(trial: Trial) -> None:
    record = trial.play(*[NOTED] * 3, call=CALL.model_copy(update={"max_steps": 1}))
    runs = len(record.tool_runs)
    check_connected(record, bool(record.requests), "a request, with `max_steps` 1 for the call", "there was none")
    check_connected(
        record, runs <= 1, "at most one step, with `max_steps` 1 for the call", f"the tool ran {runs} times"
    )


def _try_adapter(trial: Trial, option: str) -> None:
    for dialect in filter(_CONFIGURABLE.__contains__, trial.manifest.dialects):
        record = trial.play(options=Options.model_validate({option: dialect}))
        asked = next((asked.ask.dialect for asked in record.requests if asked.ask), "nothing it can read")
        check_connected(
            record, asked == dialect, f"with {option} {dialect!r}, requests in that dialect", f"it asks in {asked}"
        )


def _try_async_call(trial: Trial) -> None:
    check_outputs(trial.play(NOTED, call=CALL.model_copy(update={"mode": "async"})))


def _try_tools(trial: Trial, **changes: object) -> None:
    tool = NOTE.model_copy(update=changes)
    # Who can be awaited need not wait for coroutines elsewhere.
    is_awaited = tool.is_async and "async" in trial.manifest.capabilities
    record = trial.play(NOTED, call=CALL.model_copy(update={"mode": "async" if is_awaited else "sync"}), tool=tool)
    check_runs(record, "the tool runs once")
    check_outputs(record)


def _try_callable_tools(trial: Trial) -> None:
    for form in ("method", "object"):
        _try_tools(trial, callable_form=form)


def _try_trajectory(trial: Trial) -> None:
    record = trial.play(NOTED)
    try:
        trace = read_trace(record.outcomes[0])
    except UnreadableTrace as unreadable:
        raise Unconnected(record, "a trajectory beside the outputs", str(unreadable)) from unreadable
    check_connected(
        record, bool(trace.steps or trace.text), "a trajectory with the step that was taken", "there is no step in it"
    )


def _try_request(trial: Trial, phase: str, expected: str) -> None:
    record = trial.play(NOTED)
    asked = [each.ask for each in record.requests if each.ask and each.ask.phase == phase]
    check_connected(record, any(ask.fields for ask in asked), expected, "there was none")


def _try_concurrent_calls(trial: Trial) -> None:
    episodes = [_build_marked_episode(trial, mark) for mark in ("~one", "~two")]
    for record in play_together(trial.subject, episodes, "threads").records:
        check_connected(record, bool(record.tool_runs), "two calls at once, each of which runs its tool", "one doesn't")
        check_connected(
            record, record.outcomes[0].status == "ok", "two calls at once, both with status ok", "one isn't"
        )


def _build_marked_episode(trial: Trial, mark: str) -> Episode:
    """Return an episode whose texts all carry the mark, by which its call is known among others."""
    said = trial.build_script(
        CallTool(tool="note", args={"text": mark}, thought=f"See {mark}."),
        outputs={"answer": f"Yes {mark}."},
        finishing=f"Nothing else to do {mark}.",
    )
    call = Invocation(inputs={"question": f"Is anybody there {mark}?"})
    return trial.build_episode(script=said, call=call).model_copy(update={"nonce": mark})


def _try_parse(trial: Trial) -> None:
    if not isinstance(trial.subject, Parser):
        raise HarnessBroken("there is no `parse`")
    dialect = trial.manifest.default_dialect
    reading = read_back(trial.subject, dialect, {"answer": "Yes."}, {"answer": {"type": "string"}})
    if wrong := not_as_written(reading):
        raise wrong


def _try_confirmation(trial: Trial) -> None:
    call = CALL.model_copy(update={"resumptions": (Resumption(response="yes"),)})
    record = trial.play(NOTED, call=call, tool=NOTE.model_copy(update={"confirm": True}))
    status = record.outcomes[0].status
    check_connected(record, status == "suspended", "a call that waits for a person", f"the status is {status}")
    check_runs(record, "the tool runs once the answer is `yes`")
    check_outputs(record, outcome=-1)


def _try_inspection(trial: Trial) -> None:
    session = Session(trial.subject, trial.build_episode(), is_watched=False)
    tools = session.describe_instance().tools
    expected = "a description of the tool 'note'"
    check_connected(session.read_record(), "note" in tools, expected, f"there is {tools}")


def _try_save_load(trial: Trial) -> None:
    wanted = trial.build_episode()
    state = Session(trial.subject, wanted, is_watched=False).dump_state()
    case = wanted.case.model_copy(update={"state": state})
    check_outputs(trial.play_episode(wanted.model_copy(update={"case": case})))


def _try_system(trial: Trial, name: System) -> None:
    said = trial.build_script(submits=name != "conversation")
    record = trial.play(script=said, options=Options(system=name))
    check_outputs(record)
    history = record.outcomes[0].history
    check_connected(record, bool(history), "a history beside the outputs, for the next call", f"it is {history!r}")


def _try_parallel_calls(trial: Trial) -> None:
    turn = Calls(calls=(NOTED, CallTool(tool="note", args={"text": "goodbye"}, thought=THOUGHT)), thought="See both.")
    submits = "transcript" in trial.manifest.capabilities
    adapter = None if trial.manifest.default_dialect == "native" else "native"
    options = Options(system="transcript") if submits else Options(adapter=adapter)
    record = trial.play(script=trial.build_script(turn, submits=submits), options=options)
    check_runs(record, "two calls of one reply are two runs of the tool", 2)
    check_outputs(record)


#: What to write if it fails, and how it is tried.
CAPABILITIES: Mapping[Capability, tuple[str, Callable[[Trial], object]]] = {
    "arrow-signature": (
        "Build the signature from `arrow`, or from the field lists.",
        partial(_try_form, form=Form.ARROW),
    ),
    "class-signature": ("Build a class or a type of the field lists.", partial(_try_form, form=Form.CLASS)),
    "value-signature": ("Build the signature from the field lists.", partial(_try_form, form=Form.VALUE)),
    "typed-fields": (
        "Give outputs as JSON of the types in `json_schema`; declare the tool that takes them as `answer_tool`.",
        _try_typed_fields,
    ),
    "history": ("Show the turns of the call's `history` to the LM.", _try_history),
    "call-max-steps": ("Let the `max_steps` of the call limit its steps.", _try_call_max_steps),
    "global-adapter": ("Configure the dialect of `options.adapter`.", partial(_try_adapter, option="adapter")),
    "module-adapter": (
        "Give the module the dialect of `options.module_adapter`.",
        partial(_try_adapter, option="module_adapter"),
    ),
    "async": ("Make the call asynchronously where `mode` is `async`.", _try_async_call),
    "async-tools": ("Await tools whose `is_async` is true.", partial(_try_tools, is_async=True)),
    "callable-tools": ("Take methods and callable objects as tools.", _try_callable_tools),
    "trajectory": ("Give `trajectory` and its `trajectory_format` in the outcome.", _try_trajectory),
    "extraction": (
        "Ask for the outputs in a request of their own, after the loop.",
        partial(_try_request, phase="extraction", expected="a request for the outputs, after the loop"),
    ),
    "step-signature": (
        "Ask in every step for a thought, a tool name and its args.",
        partial(_try_request, phase="step", expected="a request for a thought, a tool name and its args"),
    ),
    "concurrent-calls": ("Answer `calls`, with all the calls under way at once.", _try_concurrent_calls),
    "parse": ("Answer `parse` with the fields of the reply.", _try_parse),
    "confirmation": ("Suspend the call before a tool whose `confirm` is true; answer `resume`.", _try_confirmation),
    "inspection": ("Answer `describe` with the tools and signatures.", _try_inspection),
    "save-load": ("Answer `dump` with a state that `load` takes.", _try_save_load),
    "conversation": ("Give the `history` so far in the outcome.", partial(_try_system, name="conversation")),
    "transcript": (
        "End the run by `submit`, and give the `history` in the outcome.",
        partial(_try_system, name="transcript"),
    ),
    "parallel-tool-calls": ("Run every call of a reply.", _try_parallel_calls),
}


class Contradiction(NamedTuple):
    """Something declared that was seen to be otherwise: the name it has, what is wrong, and the line that is right."""

    name: str
    sentence: str
    line: str


@dataclass(frozen=True)
class ObservedChoices:
    """What is declared, and the variants that were seen at each choice point."""

    declared: Manifest
    seen: Mapping[str, Collection[str]]

    @property
    def choices(self) -> dict[str, str]:
        """What to declare of each choice that was seen, as far as the sources allow it."""
        known = load_registry().choices_by_name
        found: dict[str, str] = {}
        for name, variants in sorted(self.seen.items()):
            allowed = [each for each in variants if known[name].allows_variant(each)]
            if allowed and name != DEFAULT_STEPS:
                found[name] = _describe_variants(self.declared.choices.get(name, ""), allowed)
        return found

    @property
    def manifest(self) -> Manifest:
        """The manifest as it should be; what nothing showed stays as it is declared."""
        return self.declared.model_copy(
            update={
                "choices": {**self.declared.choices, **self.choices},
                "retries": self._retries,
                "default_max_steps": self._default_steps,
            }
        )

    @property
    def contradictions(self) -> Iterator[Contradiction]:
        """Everything declared that was seen to be otherwise."""
        for name, variant in self.declared.choices.items():
            variants = self.seen.get(name, ())
            if name != DEFAULT_STEPS and not is_reported_as_declared(variant, variants):
                sentence = f"{name} is declared {variant!r}, but was seen to be {OR.join(sorted(variants))!r}"
                yield Contradiction(name, sentence, write_choice_line(name, variants))
        for name, number in {"retries": self._retries, "default_max_steps": self._default_steps}.items():
            said = getattr(self.declared, name)
            if number != said:
                yield Contradiction(
                    name, f"{name} is declared {said}, but was seen to be {number}", f"{name} = {number}"
                )

    @property
    def _retries(self) -> int:
        """The most often that a step was asked for again because its reply couldn't be read."""
        told = (re.match(r"retries (\d+)", variant) for variant in self.seen.get("malformed-reply", ()))
        return max((read_number(found[1]) or 0 for found in told if found), default=self.declared.retries)

    @property
    def _default_steps(self) -> int | None:
        return max(map(int, self.seen.get(DEFAULT_STEPS, ())), default=self.declared.default_max_steps)


def _describe_variants(declared: str, seen: Collection[str]) -> str:
    """Return what was seen, in the words in which it is declared if it says just that."""
    shown = {*seen, *(variant.partition(" in ")[0] for variant in seen)}
    is_all_seen = shown.issuperset(variants_of(declared)) and is_as_declared(declared, seen)
    return declared if is_all_seen else OR.join(sorted(seen))
