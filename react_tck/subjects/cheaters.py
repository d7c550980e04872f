"""Subjects that cheat. A kit that lets one of them pass proves nothing; `make prove` sees to it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import react_tck
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, Instance, Subject
from react_tck.subjects.libraries.reference.manifests import ALL

Cheat = Callable[[Signature, Endpoints, Invocation], Outcome]

_FEATURES = Path(__file__).parents[1] / "features"
_ANSWER = re.compile(r"the LM answers (\{.*\})")
_CALL = re.compile(r"it is called with (\{.*\})")


class Cheater:
    """Claims everything the reference can do, and does something else instead."""

    def __init__(self, name: str, cheat: Cheat) -> None:
        self._name = name
        self._cheat = cheat

    def initialize(self) -> Manifest:
        """The reference's manifest under another name."""
        return ALL.model_copy(update={"name": self._name, "version": react_tck.__version__})

    def construct(
        self,
        signature: Signature,
        tools: tuple[Tool, ...],  # noqa: ARG002 - a cheater doesn't care
        options: Options,  # noqa: ARG002
        endpoints: Endpoints,
    ) -> Instance:
        """An instance that cheats, whatever the signature, tools and options are."""
        return _CheatingInstance(self._cheat, signature, endpoints)


class _CheatingInstance:
    def __init__(self, cheat: Cheat, signature: Signature, endpoints: Endpoints) -> None:
        self._cheat = cheat
        self._signature = signature
        self._endpoints = endpoints

    def call(self, invocation: Invocation) -> Outcome:
        """The outcome that the cheat makes up for this call."""
        return self._cheat(self._signature, self._endpoints, invocation)


class Evader:
    """Declares no capability, so that nothing can be asked of it."""

    def initialize(self) -> Manifest:
        """As little as a manifest can say."""
        return Manifest(
            name="cheater:evader", version="0", dialects=("chat",), default_dialect="chat", default_max_steps=1
        )

    def construct(self, *_: object) -> Instance:
        """Refuse everything that needs no capability.

        Raises:
            ConstructionError: always.
        """
        raise ConstructionError("refused")


def answer_key(_: Signature, __: Endpoints, invocation: Invocation) -> Outcome:
    """Has learnt the published features by heart, and copies the nonce from its inputs to its answer."""
    text = json.dumps(invocation.inputs)
    nonce = re.search(r" ~[0-9a-f]+", text)
    plain = re.sub(r" ~[0-9a-f]+", "", text)
    answer = _read_answers().get(plain, {})
    marked = {k: f"{v}{nonce[0]}" if nonce and isinstance(v, str) else v for k, v in answer.items()}
    return Outcome(status="ok", outputs=marked, trajectory={}, trajectory_format="mapping")


def do_nothing(_: Signature, __: Endpoints, ___: Invocation) -> Outcome:
    """Reports success without asking the LM, running a tool or giving any output."""
    return Outcome(status="ok")


def echo_inputs(signature: Signature, _: Endpoints, invocation: Invocation) -> Outcome:
    """Gives its inputs back as its outputs."""
    values = list(invocation.inputs.values()) or [None]
    outputs = {field.name: values[index % len(values)] for index, field in enumerate(signature.outputs)}
    return Outcome(status="ok", outputs=outputs, trajectory="", trajectory_format="text")


def exit_0(_: Signature, __: Endpoints, ___: Invocation) -> Outcome:
    """Ends the process with the status of success."""
    raise SystemExit(0)


def _read_answers() -> dict[str, JsonObject]:
    """The answers of the features by the inputs they belong to."""
    answers: dict[str, JsonObject] = {}
    for path in sorted(_FEATURES.rglob("*.feature")):
        for scenario in path.read_text(encoding="utf-8").split("Scenario")[1:]:
            answer, call = _ANSWER.search(scenario), _CALL.search(scenario)
            if answer and call and "<" not in answer[1] + call[1]:
                answers[json.dumps(json.loads(call[1]))] = json.loads(answer[1])
    return answers


def _make_cheater(name: str, cheat: Cheat) -> Callable[[], Subject]:
    return lambda: Cheater(f"cheater:{name}", cheat)


CHEATERS: dict[str, Callable[[], Subject]] = {
    "answer-key": _make_cheater("answer-key", answer_key),
    "inert": _make_cheater("inert", do_nothing),
    "echo": _make_cheater("echo", echo_inputs),
    "exit-0": _make_cheater("exit-0", exit_0),
    "evader": Evader,
}
