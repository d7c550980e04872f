"""A chat with a weather agent: `python -m react_tck.examples.chat --class ReAct`, or another class of the reference.

It needs no model: a scripted LM plays along. `--model openai/gpt-4o-mini`, or any other name that dspy knows, talks
to a real one. In the chat, /tools lists the tools, /inspect_history shows the conversation so far, /trajectory the
steps of the last response, and /quit ends.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import dspy

from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script, Submit
from react_tck.reference import ConversationReAct, Policy, ReAct, TranscriptReAct, UdspyReAct
from react_tck.reference.adapters.conversation import ConversationAdapter
from react_tck.subjects.adapted import make_lm
from react_tck.subjects.libraries.dspy.bridge import language_model

WEATHER = {"Paris": "18 °C, sunny", "London": "12 °C, rain", "Tokyo": "24 °C, humid", "New York": "20 °C, windy"}


def list_weather_cities() -> str:
    """List the cities whose weather is known."""
    return f"Available cities for weather: {', '.join(WEATHER)}"


def get_weather(city: str) -> str:
    """Report the current weather of a city."""
    return f"Weather in {city}: {WEATHER[city]}"


TOOLS = (list_weather_cities, get_weather)
#: Each class: how it is built with so many steps, and how its signature says that it takes earlier turns.
CLASSES: Mapping[str, tuple[Callable[..., Any], str]] = {
    "ReAct": (ReAct, "question, history: dspy.History -> answer"),
    "TranscriptReAct": (partial(TranscriptReAct, policy=Policy(derived_trajectory="given")), "question -> answer"),
    "ConversationReAct": (ConversationReAct, "question -> answer"),
    "UdspyReAct": (UdspyReAct, "question, history: dspy.History -> answer"),
}
#: What a broken reply has in the place of the end of a marker.
FAILURES = {"malformed-markers": "]]", "missing-markers": ""}


class Chat:
    """One conversation; every line is a command or a question.

    Args:
        agent: the agent to talk to.
        ask: asks it: a sync or an async call.
        lm_for: the LM for a question.
    """

    def __init__(self, agent: Any, ask: Callable[..., Any], lm_for: Callable[[str], dspy.LM]) -> None:
        self._agent = agent
        self._ask = ask
        self._lm_for = lm_for
        self._history = dspy.History(messages=[])
        self._trajectory: dict[str, Any] = {}

    def say(self, line: str) -> str:
        """Return the agent's answer, or what the command shows."""
        commands: dict[str, Callable[[], str]] = {
            "/tools": self._list_tools,
            "/inspect_history": self._show_history,
            "/trajectory": lambda: _show_values(self._trajectory),
        }
        if line in commands:
            return commands[line]()
        is_command = line.startswith("/") or not line
        return f"The commands are {', '.join(commands)} and /quit." if is_command else self._ask_agent(line)

    def _ask_agent(self, question: str) -> str:
        with dspy.context(lm=self._lm_for(question)):
            response = self._ask(question=question, history=self._history)
        turn = {"question": question, "answer": response.answer}
        # A conversation and a transcript give their history back; who has it as an input is told the turns.
        self._history = response.get("history") or dspy.History(messages=[*self._history.messages, turn])
        self._trajectory = response.trajectory
        return str(response.answer)

    def _list_tools(self) -> str:
        return "\n".join(tool.describe_tool() for tool in self._agent.bound.values())

    def _show_history(self) -> str:
        return (
            "\n\n".join(_show_values(exchange) for exchange in self._history.messages) or "Nothing has been said yet."
        )


def _show_values(values: Mapping[str, Any]) -> str:
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, default=str) for name, value in values.items()
    }
    return "\n".join(f"{name}: {text}" for name, text in texts.items()) or "Nothing has been done yet."


def make_failing_agent(mode: str, step: int) -> type[ConversationReAct]:
    """Return an agent that gets one reply of the LM broken, counted from the first of the conversation."""
    replies = count(1)

    class Failing(ConversationAdapter):
        def parse(self, signature: Any, completion: str) -> Any:
            is_due = next(replies) == step
            return super().parse(signature, completion.replace("## ]]", FAILURES[mode]) if is_due else completion)

    class FailingConversation(ConversationReAct):
        adapter_class = Failing

    return FailingConversation


def start_chat(options: argparse.Namespace) -> Chat:
    """Return the chat that the options describe."""
    mode = options.debug_fail_mode
    made, signature = CLASSES[options.class_name]
    agent = (make_failing_agent(mode, options.debug_fail_step) if mode else made)(
        signature, TOOLS, max_iters=options.max_steps
    )
    ask = (lambda **inputs: asyncio.run(agent.acall(**inputs))) if options.asynchronous else agent
    return Chat(agent, ask, _choose_lm(options))


def _choose_lm(options: argparse.Namespace) -> Callable[[str], dspy.LM]:
    if options.model:
        model = dspy.LM(options.model)
        return lambda _: model
    # Steps are counted over the whole conversation, and the first question takes the first of them.
    spoilt = iter([options.debug_fail_step] if options.debug_fail_mode else [])

    def make_scripted(question: str) -> dspy.LM:
        is_transcript = options.class_name == "TranscriptReAct"
        said = write_script(question, options.max_steps, next(spoilt, None), submits=is_transcript)
        dialects = ("machina", "chat", "native")
        return language_model(make_lm(EpisodeLM(said, dialects, Journal()).complete))

    return make_scripted


def write_script(question: str, max_steps: int, spoilt: int | None = None, *, submits: bool = False) -> Script:
    """Return what the scripted LM says to a question: it looks up the cities named, or lists them all if none is.

    A step that will be `spoilt` is meant a second time. Who `submits` needs no other end.
    """
    cities = [city for city in WEATHER if city.lower() in question.lower()]
    steps: list[Intent] = [*_list_lookups(cities), Finish(thought="Everything asked for is known.")]
    if spoilt is not None:
        steps[spoilt - 1 : spoilt] *= 2
    steps = steps[:max_steps]
    answer = _compose_answer(steps)
    if submits:
        calls = [each for each in steps if isinstance(each, CallTool)]
        return Script(steps=(*calls, Submit(outputs=answer.outputs, thought=answer.reasoning)))
    return Script(steps=tuple(steps), answers=(answer,))


def _list_lookups(cities: list[str]) -> Iterable[CallTool]:
    if not cities:
        yield CallTool(tool="list_weather_cities", thought="No city is named: I need to list all there are.")
    for city in cities:
        yield CallTool(tool="get_weather", args={"city": city}, thought=f"I look up {city}.")


def _compose_answer(steps: list[Intent]) -> Answer:
    """From what the steps gathered, saying so if they were too few."""
    cities = dict.fromkeys(str(step.args["city"]) for step in steps if isinstance(step, CallTool) and step.args)
    told = [get_weather(city) for city in cities] or [list_weather_cities()]
    if not isinstance(steps[-1], Finish):
        told.append("I was interrupted; ask me to go on if you like")
    return Answer(outputs={"answer": ". ".join(told)}, reasoning="The tools say so.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Answer the one query, or chat until /quit or the end of input."""
    options = _parse_options(arguments)
    talk = start_chat(options)
    if options.query:
        print(talk.say(options.query))
        return
    with suppress(EOFError):
        for line in iter(lambda: input("You: ").strip(), "/quit"):
            print(talk.say(line))


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--class", dest="class_name", choices=CLASSES, default="ConversationReAct", help="the agent")
    parser.add_argument("--query", help="ask this one question and end")
    parser.add_argument("--async", dest="asynchronous", action="store_true", help="use the async entry point")
    parser.add_argument("--max-steps", type=int, default=10, help="steps before the agent is interrupted")
    parser.add_argument("--model", help="a real model, as dspy names it, instead of the scripted LM")
    parser.add_argument("--debug-fail-mode", choices=FAILURES, help="in a conversation: break a reply of the LM")
    parser.add_argument("--debug-fail-step", type=int, default=1, help="which step to break, counted from 1")
    given = parser.parse_args(arguments)
    if given.debug_fail_mode and given.class_name != "ConversationReAct":
        parser.error("--debug-fail-mode breaks replies in chat fields: it goes with --class ConversationReAct")
    return given


if __name__ == "__main__":
    main()
