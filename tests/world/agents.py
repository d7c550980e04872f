"""Agents of public reports about calls, their results and what is sent of them: the twin, but for a few lines."""

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
class FailureWithoutId(Twin):
    """Loses the id of a call that fails."""

    def observe(self, call: Any, thought: str) -> Message:
        message = super().observe(call, thought)
        return {**message, "tool_call_id": ""} if message["content"].startswith("Error: ") else message


@declare
class UnknownToolUnanswered(Twin):
    """Appends no result for a call of a tool that there isn't."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, [each for each in results if "there is no tool" not in each["content"]])


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


@declare
class EqualCallsOnce(Twin):
    """Runs equal calls of a turn once, and tells of the others that they were left out."""

    def ask(self, messages: list[Message]) -> LMReply:
        self.ran: list[tuple[str, Message]] = []
        return super().ask(messages)

    def run(self, name: str, args: Message) -> Any:
        if (name, args) in self.ran:
            raise RuntimeError("this call was skipped as a duplicate")
        self.ran.append((name, args))
        return super().run(name, args)


@declare
class LastCallOfEachTool(Twin):
    """Keeps the calls of a reply by the names of their tools."""

    def ask(self, messages: list[Message]) -> LMReply:
        reply = super().ask(messages)
        return LMReply(reply.text, tuple({call.name: call for call in reply.tool_calls}.values()), reply.finish_reason)


@declare
class EqualCallsRemembered(EqualCallsOnce):
    """Runs no call again that was made in an earlier turn of the run."""

    def call(self, inputs: Any) -> Done | Exhausted:
        self.seen: list[tuple[str, Message]] = []
        return super().call(inputs)

    def ask(self, messages: list[Message]) -> LMReply:
        reply = super().ask(messages)
        self.ran = self.seen
        return reply


@declare
class EmptyResultsDropped(Twin):
    """Appends no message for a result that is empty."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, [each for each in results if each["content"]])


@declare
class QuestionForgotten(Twin):
    """Has no memory, and sends the system message alone once a tool has run."""

    def ask(self, messages: list[Message]) -> LMReply:
        return super().ask(messages if len(messages) == 2 else messages[:1])


@declare
class ResultsNotKept(Twin):
    """Keeps the turns with calls, and not the results."""

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        return super().go_on(messages, reply, [])


@declare
class FailedToolAgain(Twin):
    """Runs a tool that raises once more."""

    def run(self, name: str, args: Message) -> Any:
        try:
            return super().run(name, args)
        except Exception:
            return super().run(name, args)


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
class MemoryAgain(Twin):
    """Puts what it remembers of the conversation before what it sends of it, in every request."""

    def ask(self, messages: list[Message]) -> LMReply:
        return super().ask([*messages[:1], *messages[1:], *messages[1:]] if len(messages) > 2 else messages)


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
