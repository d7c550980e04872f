"""Several calls of one instance at once: the kit tells whose request and whose tool run each is, and makes them meet.

A call is known by a text of its own, which stands in all that it is given: its inputs, the args the LM chooses for it,
and what its tools return. No clock decides anything: all calls wait for each other inside their loops, and the time
after which nobody waits any more only keeps a subject that runs one call after the other from hanging.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any

from react_tck.adapter.lm import LMRefusal
from react_tck.adapter.tools import ToolFailure
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import EpisodeLM
from react_tck.fakes.tools import KitTool, ScriptedTool
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.tool import Tool

#: Seconds until nobody waits for the others any more.
_PATIENCE = 5


@dataclass(frozen=True)
class Part:
    """One call's own part of the kit."""

    #: The text it is known by.
    mark: str
    lm: EpisodeLM
    journal: Journal
    tools: Mapping[str, ScriptedTool]


class Meeting:
    """Where all calls wait until each of them is in its loop; threads and tasks alike."""

    def __init__(self, calls: int) -> None:
        self._calls = calls
        self._threads = threading.Barrier(calls)
        self._arrived = 0
        self._all_there: asyncio.Event | None = None

    def wait_in_thread(self) -> None:
        """Wait in a thread of one's own."""
        try:
            self._threads.wait(_PATIENCE)
        except threading.BrokenBarrierError:
            return

    async def wait_in_loop(self) -> None:
        """Wait as a task among others of one event loop."""
        if self._all_there is None:
            self._all_there = asyncio.Event()
        self._arrived += 1
        if self._arrived >= self._calls:
            self._all_there.set()
        try:
            await asyncio.wait_for(self._all_there.wait(), _PATIENCE)
        except TimeoutError:
            self._all_there.set()


class Switchboard:
    """Hands every request and tool run to the call it belongs to, and keeps what belongs to none or to several."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        #: What was mixed up, in words.
        self.mixed: list[str] = []

    def complete(self, request: LMRequest) -> Completion:
        """Return the reply to a request.

        Raises:
            LMRefusal: if it shows texts of several calls, or of none; or if the call's own script refuses it.
        """
        part = self._find_owner(request.text, "an LM request")
        if part is None:
            raise LMRefusal(self.mixed[-1])
        return part.lm.complete(request)

    def share_tool(self, tool: Tool) -> KitTool:
        """Return the tool as all calls share it."""
        return _SharedTool(tool, self)

    def owner_of_run(self, name: str, args: Mapping[str, Any]) -> ScriptedTool:
        """Return the tool of the call that these args belong to.

        Raises:
            ToolFailure: if they belong to none, or to several.
        """
        part = self._find_owner(repr(args), f"a run of {name!r} with {dict(args)}")
        if part is None:
            raise ToolFailure(self.mixed[-1])
        return part.tools[name]

    def _find_owner(self, text: str, what: str) -> Part | None:
        owners = [part for part in self._parts if part.mark in text]
        if len(owners) == 1:
            return owners[0]
        marks = " and ".join(repr(part.mark) for part in owners) or "no call"
        self.mixed.append(f"{what} shows texts of {marks}")
        return None


class _SharedTool:
    """One tool for all calls, journalled by the one that ran it."""

    def __init__(self, tool: Tool, switchboard: Switchboard) -> None:
        self.tool = tool
        self._switchboard = switchboard

    def run(self, args: dict[str, Any]) -> Any:
        """Run it for its call. Raises what the tool raises."""
        return self._switchboard.owner_of_run(self.tool.name, args).run(args)

    def answer_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Say for its call what a run does."""
        try:
            return self._switchboard.owner_of_run(self.tool.name, asked["args"]).answer_run(asked)
        except ToolFailure as failure:
            return {"do": "raise", "message": str(failure)}

    def refuse(self, sent: str) -> None:
        """Note for the call that what it sent is no JSON object; what shows no call of its own is mixed up."""
        with suppress(ToolFailure):
            self._switchboard.owner_of_run(self.tool.name, {"": sent}).refuse(sent)


def meeting_first(function: Callable[..., Any], meeting: Meeting) -> Callable[..., Any]:
    """Return the tool's function, which lets all calls meet before it runs."""

    def meet_and_call(*args: Any, **kwargs: Any) -> Any:
        meeting.wait_in_thread()
        return function(*args, **kwargs)

    async def meet_and_acall(*args: Any, **kwargs: Any) -> Any:
        await meeting.wait_in_loop()
        return await function(*args, **kwargs)

    return wraps(function)(meet_and_acall if inspect.iscoroutinefunction(function) else meet_and_call)
