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


Twice = _subject("twice", RunsTwice)
Forgetful = _subject("forgetful", Forgets)
Impatient = _subject("impatient", Stops)
Good = _subject("good", TinyReAct)
Guessing = _subject("guessing", Guesses, {"unknown-tool": "observe and continue, or extract, or error"})
