"""Agents that are right: what they are accused of in an episode too is the kit's fault, and no finding."""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import react_tck
from react_tck.adapter.lm import LMCall
from react_tck.engine.judging import examine_episode
from react_tck.model.case import System
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve

#: The class of the reference that is of each system.
_REFERENCES: Mapping[System | None, str] = {
    None: "reference",
    "conversation": "reference-conversation",
    "transcript": "reference-transcript",
    "udspy": "reference-udspy",
}


def find_accused(episode: Episode, manifest: Manifest) -> frozenset[str]:
    """Return the requirements that an agent which is right violates in this episode of a subject's, too."""
    accused: set[str] = set()
    for witness in _list_witnesses(episode, manifest):
        with suppress(Exception):  # it can't be played, or not by this one
            accused |= examine_episode(witness, episode, again=False)[1].keys()
    return frozenset(accused)


def _list_witnesses(episode: Episode, manifest: Manifest) -> Iterator[Subject]:
    options = episode.case.options
    names = [_REFERENCES[options.system]]
    if "native" in manifest.dialects and options.system is None and "extraction" not in manifest.capabilities:
        names.append(f"python:{__name__}:Native")
    adapters = {options.adapter, options.module_adapter, *(call.adapter for call in episode.case.invocations)} - {None}
    for name in names:
        witness = _resolve_witness(name)
        # What the kit accuses the reference of is what somebody looks for who fuzzes it.
        if witness and witness.initialize().name != manifest.name and adapters <= {*witness.initialize().dialects}:
            yield witness


@cache
def _resolve_witness(name: str) -> Subject | None:
    """Return the subject of that name; None where its library isn't installed."""
    with suppress(Exception):
        return resolve(name)
    return None


def _read_strictly(text: str) -> dict[str, Any]:
    def fail(_: object) -> Any:
        raise ValueError(text)

    def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else fail(pairs)

    def make_number(digits: str) -> float:
        return float(digits) if math.isfinite(float(digits)) else fail(digits)

    read = json.loads(text, object_pairs_hook=make_object, parse_constant=fail, parse_float=make_number)
    return read if isinstance(read, dict) else fail(read)


@react_tck.subject("native-witness", version="1", dialects=["native"], capabilities=[], default_max_steps=10)
class Native:
    """A loop over native calls, which ends with a text."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Take what a call needs."""
        task.check()
        self.task, self.lm, self.offered = task, lm, tools.as_schemas()
        self.tools = {tool.name: tool for tool in tools}
        listed = "\n".join(f"{number}. `{field.name}`" for number, field in enumerate(task.outputs, 1))
        self.system = f"{task.instructions}\nYour output fields are:\n{listed}"

    def call(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Ask, run what is called, and ask again."""
        messages = [{"role": "system", "content": self.system}, {"role": "user", "content": self.task.text(inputs)}]
        for _ in range(10 if self.task.max_steps is None else self.task.max_steps):
            reply = self.lm.chat(messages, tools=self.offered)
            if reply.finish_reason == "length":
                raise ValueError("the reply is cut off")
            if not reply.tool_calls:
                return react_tck.Done(self._read_answer(reply.text))
            results = [(call.id, self._run_call(call)) for call in reply.tool_calls]
            told = [{"role": "tool", "tool_call_id": id_, "content": result} for id_, result in results]
            messages += [reply.message, *told]
        return react_tck.Exhausted()

    def _run_call(self, call: LMCall) -> str:
        try:
            result = self.tools[call.name].run(_read_strictly(call.arguments))
        except Exception as error:
            return f"Error executing {call.name}: {type(error).__name__}: {error}"
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)

    def _read_answer(self, text: str) -> dict[str, Any]:
        if not text.strip():
            raise ValueError("the answer is empty")
        names = [field.name for field in self.task.outputs]
        if len(names) == 1 and self.task.outputs[0].json_schema == {"type": "string"}:
            return {names[0]: text}
        values = _read_strictly(text)
        if {*values} != {*names}:
            raise ValueError(f"the answer lacks outputs: {text}")
        return values
