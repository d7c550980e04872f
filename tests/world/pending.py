"""Agents of public reports: the twin, but for the lines that the report is about."""

import json
from typing import Any

from react_tck import LM, Done, Exhausted, LMFault, LMReply, Task, Tools
from tests.world.twin import Message, Twin, declare


@declare
class FailureHidesSiblings(Twin):
    """Tells of a turn in which a call failed nothing but the failure."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        failed = [
            step["observation"]
            for step in self.steps[-len(results) :]
            if str(step["observation"]).startswith("Error: ")
        ]
        told = [{**message, "content": failed[0]} for message in results] if failed else results
        return super().go_on(messages, reply, told)


@declare
class FailureCancelsSiblings(Twin):
    """Runs no call of a turn behind one that failed."""

    def observe(self, call: Any, thought: str) -> Message:
        if (
            self.steps
            and self.steps[-1]["thought"] == thought
            and str(self.steps[-1]["observation"]).startswith("Error: ")
        ):
            return {"role": "tool", "tool_call_id": call.id, "content": "Sibling tool call errored"}
        return super().observe(call, thought)


@declare
class DollarsReplaced(Twin):
    """Fills results into its template as JavaScript's `replace` does."""

    def show(self, value: Any) -> str:
        shown = super().show(value)
        for sign, text in {"$$": "$", "$&": "{result}", "$'": "", "$`": "Result: "}.items():
            shown = shown.replace(sign, text)
        return shown


@declare
class ListsCut(Twin):
    """Shows fifty items of a list, as Elixir's `inspect` does."""

    def show(self, value: Any) -> str:
        return super().show([*value[:50], "..."] if isinstance(value, list) and len(value) > 50 else value)


@declare
class ResultsAsDoubles(Twin):
    """Shows whole numbers of results as the nearest double."""

    def show(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        return super().show(json.loads(super().show(value), parse_int=lambda digits: int(float(digits))))


@declare
class BeginsAnew(Twin):
    """Tries the whole run again where the LM fails."""

    def call(self, inputs: Any) -> Done | Exhausted:
        for _ in range(2):
            try:
                return super().call(inputs)
            except LMFault:
                pass
        return super().call(inputs)


@declare
class EarlierTextIsTheAnswer(Twin):
    """Takes the text beside the last calls for the answer where a reply is empty."""

    def read(self, text: str) -> Message:
        if text:
            return super().read(text)
        return {field.name: self.steps[-1]["thought"] for field in self.task.outputs}


@declare
class MemoryAgain(Twin):
    """Puts what it remembers of the conversation before what it sends of it, in every request."""

    def ask(self, messages: list[Message]) -> LMReply:
        return super().ask([*messages[:1], *messages[1:], *messages[1:]] if len(messages) > 2 else messages)


@declare
class FaultIsACrash(Twin):
    """Looks into a reply that isn't there."""

    def ask(self, messages: list[Message]) -> LMReply:
        try:
            return super().ask(messages)
        except LMFault as fault:
            raise TypeError("'NoneType' object is not subscriptable") from fault
