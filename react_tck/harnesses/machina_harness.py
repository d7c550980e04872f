"""Serves the real `ReActMachina` to react-tck, as `dspy_harness.py` beside it serves `dspy.ReAct`, with its parts.

It is run by the interpreter whose dspy-react-machina is to be tested, and needs nothing but that and its dspy.
"""

import inspect
import sys
from importlib.metadata import version
from pathlib import Path

# An isolated interpreter doesn't look beside the file.
sys.path.insert(0, str(Path(__file__).parent))

import dspy_harness

CAPABILITIES = ["arrow-signature", "class-signature", "value-signature", "typed-fields", "nested-fields", "async"]
CAPABILITIES += ["async-tools", "callable-tools", "trajectory", "extraction", "conversation"]


def make_manifest():
    """Name, version, and what the installed release offers."""
    return {
        "name": "ReActMachina",
        "version": version("dspy-react-machina"),
        "homepage": "https://github.com/armoucar/dspy-react-machina",
        "dialects": ["machina", "json"],
        "default_dialect": "machina",
        "capabilities": CAPABILITIES,
        # What else it does where the sources leave a choice has changed from release to release; it is observed.
        "choices": {"max-steps-default": str(_default_steps()), "extraction": "chain-of-thought"},
        "default_max_steps": _default_steps(),
        "deviations": dspy_harness.DEVIATIONS,
        "retries": 1,
    }


def _default_steps():
    from dspy_react_machina import ReActMachina

    return inspect.signature(ReActMachina.__init__).parameters["max_steps"].default


class MachinaAgent(dspy_harness.Agent):
    """A constructed `ReActMachina`. What a call returns as its history is that of the next."""

    OWN = {"reasoning", "history", "steps"}

    def make_module(self, made, tools, options):
        """Return the `ReActMachina` under test, with the limit of steps and the predictor that the case sets."""
        import dspy
        from dspy_react_machina import ReActMachina

        predictors = {"predict": dspy.Predict, "chain-of-thought": dspy.ChainOfThought}
        given = {} if options["max_steps"] is None else {"max_steps": options["max_steps"]}
        if options["predictor"]:
            given["predictor_class"] = predictors[options["predictor"]]
        return ReActMachina(made, tools, **given)

    def make_arguments(self, params):
        arguments = dict(params["inputs"])
        if params["history"] is not None:
            import dspy

            arguments["history"] = dspy.History(messages=params["history"])
        return arguments

    def make_outcome(self, prediction):
        history = prediction.get("history")
        told = dspy_harness.make_plain(history)
        return {**super().make_outcome(prediction), "history": told.get("messages") if isinstance(told, dict) else told}


if __name__ == "__main__":
    dspy_harness.serve_library("dspy_react_machina", make_manifest, MachinaAgent)
