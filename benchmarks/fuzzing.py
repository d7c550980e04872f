"""Fuzzing the reference: through the kit, and in a bare Hypothesis loop over the same episodes that judges nothing.

And fuzzing a wire subject of a few lines: the harness that `react-tck init python` writes.
"""

import asyncio
import inspect
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dspy
from dspy import lm15

import react_tck
from benchmarks.figures import Figure, at_least
from benchmarks.pairs import Pair, pair
from react_tck.dialects import render_reply
from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import TOOL_NAME, make_ask
from react_tck.fakes.callables import python_signature, python_tool
from react_tck.fakes.malformed.forms import bad_args, garble_reply
from react_tck.fakes.strategies import Reach, episodes
from react_tck.fuzz import engine
from react_tck.fuzz.campaign import Campaign
from react_tck.fuzz.playing import SearchSettings, ToPlay, play_shard
from react_tck.fuzz.progress import SilentSearchListener
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, BadArgs, CallTool, Fault, Finish, Garbled, Intent, Raw, Reply
from react_tck.model.lm import Ask, Completion
from react_tck.model.tool import Raises, Returns, Tool
from react_tck.processes.workers.workers import ignore_beat
from react_tck.reference import ReAct
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import close_subject, resolve
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.stdio import StdioSubject, make_starter

EXAMPLES = 200
_ROUNDS = 3
_TOY = Path(react_tck.__file__).parent / "templates" / "python" / "harness.py"
_FUZZ = at_least("fuzzing the reference, examples a second: the kit / a bare Hypothesis loop", 0.9)
_WIRE = at_least("fuzzing a wire subject, examples a second of the kit's processor", 150, "a second")
BOUNDS = (_FUZZ, _WIRE)


def figures() -> Iterator[Figure]:
    """Measured in processor time, the ratio in turn."""
    logging.disable(logging.CRITICAL)  # dspy warns of replies that were cut off: some are
    measured = bare_and_fuzz()
    bare, kit = (EXAMPLES / seconds for seconds in measured.medians)
    yield _FUZZ.measured(measured.ratio, f"{kit:.1f} / {bare:.1f} a second")
    subject = toy()
    try:
        task = ToPlay(
            SearchSettings(GivenSubject(subject), SearchScope()), next(Budget(examples=EXAMPLES).yield_shards())
        )
        play_shard(task, ignore_beat)
        begun = time.process_time()
        play_shard(task, ignore_beat)
        yield _WIRE.measured(EXAMPLES / (time.process_time() - begun))
    finally:
        close_subject(subject)


def bare_and_fuzz() -> Pair:
    """Seconds for the same examples, in the bare loop and through the kit."""
    return pair(bare(), lambda: search(resolve("reference")), _ROUNDS, time.process_time)


def search(subject: Subject) -> object:
    """Search as `react-tck fuzz` does, with nobody watching."""
    return list(Campaign(GivenSubject(subject), Budget(examples=EXAMPLES), SilentSearchListener()).find_violations())


def toy() -> Subject:
    """A wire subject of a few lines."""
    return StdioSubject(make_starter([sys.executable, str(_TOY)]))


def bare() -> Callable[[], object]:
    """Generate the same episodes, construct the same agent, call it, and look away."""
    manifest = resolve("reference").initialize()
    strategy = episodes(Reach(manifest.dialects, manifest.capabilities))
    return lambda: engine.generate_examples(strategy, Budget().seed, EXAMPLES, _run)


def _run(episode: Episode) -> None:
    case, options = episode.case, episode.case.options
    limits: dict[str, Any] = {} if options.max_steps is None else {"max_steps": options.max_steps}
    tools = [python_tool(_BareTool(tool, episode)) for tool in case.tools]
    signature = bridge.make_signature(react_tck.Task(case.signature, options, lambda _, __: None))
    agent = ReAct(signature, tools, adapter=bridge.make_adapter(options.module_adapter), **limits)
    lines = _Lines(episode)
    lm = dspy.LM("bare", engine=lines, async_engine=_AsyncLines(lines), cache=False, num_retries=0)
    for call in case.invocations:
        own = {} if call.max_steps is None else {"max_steps": call.max_steps}
        with dspy.context(lm=lm, adapter=bridge.make_adapter(options.adapter), allow_tool_async_sync_conversion=True):
            _call(agent, call.mode == "async", {**call.inputs, **own})


def _call(agent: Any, is_async: bool, inputs: dict[str, Any]) -> None:
    try:
        if is_async:
            asyncio.run(agent.acall(**inputs))
        else:
            agent(**inputs)
    except Exception:
        return  # a reply that can't be read ends many an episode


class _BareTool:
    """A tool that does what it is told, and tells nobody."""

    def __init__(self, tool: Tool, episode: Episode) -> None:
        self.tool = tool
        self.signature: inspect.Signature = python_signature(tool)
        self._behaviour = next(iter(episode.behaviours.get(tool.name, ())), None)

    def call(self, _: dict[str, Any]) -> Any:
        """What its first behaviour gives."""
        match self._behaviour:
            case Raises(message=message):
                raise RuntimeError(message)
            case Returns(value=value):
                return value
        return "done"

    run = call

    def refuse(self, sent: str) -> None:
        """Nobody is told."""


class _Lines:
    """Says a script in order, to whoever asks."""

    def __init__(self, episode: Episode) -> None:
        self._steps, self._answers = deque(episode.script.steps), deque(episode.script.answers)

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """The next line, in the dialect the last message asks for."""
        fields = output_fields(_text(request.system))
        queue = self._steps if TOOL_NAME in fields else self._answers
        intent = queue[0] if queue[0].sticky else queue.popleft()
        text = _said(_first(intent), make_ask(_dialect(_text(request.messages[-1].parts)), fields)).content or ""
        message = lm15.Message.assistant(text)
        return lm15.Response(id="bare", model="bare", message=message, finish_reason="stop", usage=lm15.Usage())


class _AsyncLines:
    """The same, awaited."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines

    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """The next line."""
        return self._lines.complete(request)


def _first(intent: Intent) -> Any:
    return intent.replies[0] if isinstance(intent, Attempts) else intent


def _said(reply: Reply, ask: Ask) -> Completion:
    match reply:
        case CallTool() | Finish() | Answer():
            return render_reply(reply, ask)
        case Garbled():
            return garble_reply(reply, ask)
        case BadArgs():
            return bad_args(reply, ask)
        case Fault():
            raise lm15.ServerError("scripted")
    return Completion(content=reply.text if isinstance(reply, Raw) else "")


def _dialect(text: str) -> str:
    if "XML tags" in text:
        return "xml"
    return "json" if "JSON object" in text else "chat"


def _text(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content if part.type == "text")
