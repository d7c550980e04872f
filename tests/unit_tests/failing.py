"""Subjects that are wrong, made of the example's agent; each is wrong in one way."""

from collections.abc import Mapping
from typing import Any

import react_tck
from examples.own_agent import Mine, TinyReAct


def _subject(name: str, library: type[TinyReAct], choices: Mapping[str, str] | None = None) -> type[Mine]:
    class Failing(Mine):
        def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
            steps = 10 if task.max_steps is None else task.max_steps
            self.agent = library([field.name for field in task.outputs], tools.as_functions(), steps, lm)

    return react_tck.subject(
        name,
        version="1.0",
        dialects=["json"],
        capabilities=["trajectory", "extraction", "step-signature"],
        choices=choices,
        default_max_steps=10,
    )(Failing)


class RunsTwice(TinyReAct):
    """Runs every tool twice."""

    def run(self, name: str, args: dict[str, Any]) -> str:
        super().run(name, args)
        return super().run(name, args)


class RunsTwiceAtMarks(TinyReAct):
    """Runs every tool twice where an input holds a mark of another dialect."""

    def run(self, name: str, args: dict[str, Any]) -> str:
        once = super().run(name, args)
        return super().run(name, args) if self.is_marked else once

    def ask(self, fields: list[str], inputs: Mapping[str, Any], trajectory: list[dict[str, Any]]) -> dict[str, Any]:
        self.is_marked = "Final Answer" in str(inputs)
        return super().ask(fields, inputs, trajectory)


class Forgets(TinyReAct):
    """Shows the LM nothing of what tools return."""

    def run(self, name: str, args: dict[str, Any]) -> str:
        super().run(name, args)
        return "it ran"


class Stops(TinyReAct):
    """Answers with an error once a tool has run."""

    def run(self, name: str, args: dict[str, Any]) -> str:
        super().run(name, args)
        raise RuntimeError("enough")


class Guesses(TinyReAct):
    """Runs its first tool where the LM names one that there isn't."""

    def run(self, name: str, args: dict[str, Any]) -> str:
        return super().run(name if name in self.tools else next(iter(self.tools)), args)


class LosesThoughts(TinyReAct):
    """Records no thought."""

    def __call__(self, **inputs: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        outputs, trajectory = super().__call__(**inputs)
        return outputs, [{**step, "next_thought": ""} for step in trajectory]


class GoesOn(TinyReAct):
    """Takes a step more than it may."""

    def __call__(self, **inputs: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        self.max_steps += 1
        return super().__call__(**inputs)


Twice = _subject("twice", RunsTwice)
Marked = _subject("marked", RunsTwiceAtMarks)
Forgetful = _subject("forgetful", Forgets)
Thoughtless = _subject("thoughtless", LosesThoughts)
Endless = _subject("endless", GoesOn)
Impatient = _subject("impatient", Stops)
Good = _subject("good", TinyReAct)
Guessing = _subject("guessing", Guesses, {"unknown-tool": "observe and continue, or extract, or error"})
