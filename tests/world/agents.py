"""Agents of public reports: the twin, but for the lines that the report is about."""

import json
from typing import Any

from react_tck import Done, Exhausted, LMFault, LMReply
from tests.world.twin import Message, Twin, declare


@declare
class AllResultsAgain(Twin):
    """Appends the results of all turns so far behind each turn."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        earlier = [message for message in messages if message["role"] == "tool"]
        return [*messages, reply.message, *earlier, *results]


@declare
class ResultsTwice(Twin):
    """Appends each result twice under one id."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return [*messages, reply.message, *results, *results]


@declare
class LastMessagesOnly(Twin):
    """Sends the question and the last three messages, whatever they belong to."""

    def ask(self, messages: list[Message]) -> LMReply:
        return super().ask([*messages[:2], *messages[2:][-3:]])


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
class FailedToolAgain(Twin):
    """Runs a tool that raises once more."""

    def run(self, name: str, args: Message) -> Any:
        try:
            return super().run(name, args)
        except Exception:
            return super().run(name, args)


@declare
class UnreadArgsAsNone(Twin):
    """Takes args that can't be read for no args."""

    def read_args(self, text: str) -> Message:
        try:
            return super().read_args(text)
        except ValueError:
            return {}


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
class FailureWithoutId(Twin):
    """Loses the id of a call that fails."""

    def observe(self, call: Any, thought: str) -> Message:
        message = super().observe(call, thought)
        return {**message, "tool_call_id": ""} if message["content"].startswith("Error: ") else message


@declare
class FailureUntold(Twin):
    """Logs what a tool raises, and shows nothing of it."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        told = [
            {**message, "content": ""} if message["content"].startswith("Error: ") else message for message in results
        ]
        return super().go_on(messages, reply, told)


@declare
class UnknownToolUnanswered(Twin):
    """Appends no result for a call of a tool that there isn't."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, [each for each in results if "there is no tool" not in each["content"]])


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


@declare
class ArgsAsDoubles(Twin):
    """Reads whole numbers as doubles."""

    def read_args(self, text: str) -> Message:
        super().read_args(text)
        args: Message = json.loads(text, parse_int=lambda digits: int(float(digits)))
        return args


@declare
class ResultsAsDoubles(Twin):
    """Shows whole numbers of results as the nearest double."""

    def show(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        return super().show(json.loads(super().show(value), parse_int=lambda digits: int(float(digits))))


@declare
class ResultsCut(Twin):
    """Cuts results at two thousand characters."""

    def show(self, value: Any) -> str:
        return super().show(value)[:2000]


@declare
class ListsCut(Twin):
    """Shows fifty items of a list, as Elixir's `inspect` does."""

    def show(self, value: Any) -> str:
        return super().show([*value[:50], "..."] if isinstance(value, list) and len(value) > 50 else value)


@declare
class FailureUnanswered(Twin):
    """Appends no result for a call that failed."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, [each for each in results if not each["content"].startswith("Error: ")])


@declare
class LastResultOnly(Twin):
    """Keeps of the results of a turn the last one."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, results[-1:])


@declare
class FirstCallOnly(Twin):
    """Takes the first call of a reply and doesn't read on."""

    def ask(self, messages: list[Message]) -> LMReply:
        reply = super().ask(messages)
        return LMReply(reply.text, reply.tool_calls[:1], reply.finish_reason)


@declare
class SeveralAreInterrupted(Twin):
    """Runs no call of a reply that has several."""

    def ask(self, messages: list[Message]) -> LMReply:
        reply = super().ask(messages)
        self.is_alone = len(reply.tool_calls) == 1
        return reply

    def run(self, name: str, args: Message) -> Any:
        if not self.is_alone:
            raise RuntimeError("the generation ended before this tool completed")
        return super().run(name, args)


@declare
class CallsAndResultsDropped(Twin):
    """Keeps the texts of the conversation, and neither calls nor results."""

    def ask(self, messages: list[Message]) -> LMReply:
        return super().ask([each for each in messages if each["role"] != "tool" and "tool_calls" not in each])
