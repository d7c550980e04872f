"""Agents of public reports about values, faults and limits: the twin, but for a few lines."""

import json
from typing import Any

from react_tck import LM, Done, Exhausted, LMFault, LMReply, Task, Tools
from tests.world.twin import Message, Twin, declare


@declare
class UnreadArgsAsNone(Twin):
    """Takes args that can't be read for no args."""

    def read_args(self, text: str) -> Message:
        try:
            return super().read_args(text)
        except ValueError:
            return {}


@declare
class FailureUntold(Twin):
    """Logs what a tool raises, and shows nothing of it."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        told = [
            {**message, "content": ""} if message["content"].startswith("Error: ") else message for message in results
        ]
        return super().go_on(messages, reply, told)


@declare
class UnknownToolEndsEmpty(Twin):
    """Has an empty answer where no tool of a turn could be found."""

    def call(self, inputs: Any) -> Done | Exhausted:
        try:
            return super().call(inputs)
        except NameError:
            return Done({field.name: "" for field in self.task.outputs}, steps=self.steps)

    def observe(self, call: Any, thought: str) -> Message:
        if call.name not in self.tools:
            raise NameError(call.name)
        return super().observe(call, thought)


@declare
class LimitIsTheAnswer(Twin):
    """Returns a text about its limit as the answer."""

    def call(self, inputs: Any) -> Done | Exhausted:
        done = super().call(inputs)
        if isinstance(done, Done):
            return done
        return Done(
            {field.name: "Agent stopped due to iteration limit." for field in self.task.outputs}, steps=done.steps
        )


@declare
class ArgsAsDoubles(Twin):
    """Reads whole numbers as doubles."""

    def read_args(self, text: str) -> Message:
        super().read_args(text)
        args: Message = json.loads(text, parse_int=lambda digits: int(float(digits)))
        return args


@declare
class ResultsCut(Twin):
    """Cuts results at two thousand characters."""

    def show(self, value: Any) -> str:
        return super().show(value)[:2000]


@declare
class ToolsInAnyOrder(Twin):
    """Offers its tools in another order in every second instance, as a map of Go's has them."""

    built = 0

    def build(self, task: Task, tools: Tools, lm: LM) -> None:
        super().build(task, tools, lm)
        ToolsInAnyOrder.built += 1
        if ToolsInAnyOrder.built % 2:
            self.offered.reverse()


@declare
class CallsEscaped(Twin):
    """Writes the args of the calls it shows with escapes."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        turn = reply.message
        for call in turn["tool_calls"]:
            call["function"]["arguments"] = json.dumps(json.loads(call["function"]["arguments"]))
        return [*messages, turn, *results]


@declare
class ResultsEscaped(Twin):
    """Shows results as JSON that holds nothing but ASCII."""

    def show(self, value: Any) -> str:
        return json.dumps(value, default=str)


@declare
class FalsyResultsCompleted(Twin):
    """Shows a word in the place of a result that is next to nothing."""

    def show(self, value: Any) -> str:
        return super().show(value or "COMPLETED")


@declare
class LimitForgetsSteps(Twin):
    """Raises at the limit, and loses the steps."""

    def call(self, inputs: Any) -> Done | Exhausted:
        done = super().call(inputs)
        return done if isinstance(done, Done) else Exhausted([], "the limit is reached")


@declare
class StopsEarly(Twin):
    """Counts from one, and stops a step before the last."""

    def call(self, inputs: Any) -> Done | Exhausted:
        self.limit -= 1
        return super().call(inputs)


@declare
class LimitIgnored(Twin):
    """Knows its own limit alone."""

    def call(self, inputs: Any) -> Done | Exhausted:
        self.limit = 10
        return super().call(inputs)


@declare
class FaultIsEmptyAnswer(Twin):
    """Has an empty answer where the LM gives none."""

    def call(self, inputs: Any) -> Done | Exhausted:
        try:
            return super().call(inputs)
        except LMFault:
            return Done({field.name: "" for field in self.task.outputs}, steps=self.steps)


@declare
class EarlierTextIsTheAnswer(Twin):
    """Takes the text beside the last calls for the answer where a reply is empty."""

    def read(self, text: str) -> Message:
        if text:
            return super().read(text)
        return {field.name: self.steps[-1]["thought"] for field in self.task.outputs}


@declare
class DollarsReplaced(Twin):
    """Fills results into its template as JavaScript's `replace` does."""

    def show(self, value: Any) -> str:
        shown = super().show(value)
        for sign, text in {"$$": "$", "$&": "{result}", "$'": "", "$`": "Result: "}.items():
            shown = shown.replace(sign, text)
        return shown
