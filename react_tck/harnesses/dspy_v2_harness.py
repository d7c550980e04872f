"""Serves the real `dspy.ReActV2` to react-tck, as `dspy_harness.py` beside it serves `dspy.ReAct`, with its parts.

It is run by the interpreter whose dspy is to be tested, and needs nothing but that dspy, of a release with the class.
"""

import inspect
import sys
from importlib.metadata import version
from pathlib import Path

# An isolated interpreter doesn't look beside the file.
sys.path.insert(0, str(Path(__file__).parent))

import dspy_harness

CAPABILITIES = ["arrow-signature", "class-signature", "value-signature", "typed-fields", "nested-fields"]
CAPABILITIES += ["global-adapter", "callable-tools", "transcript", "parallel-tool-calls", "image-inputs"]


def make_manifest():
    """Name, version, and what the installed release offers."""
    return {
        "name": "dspy.ReActV2",
        "version": version("dspy"),
        "homepage": "https://dspy.ai",
        "dialects": [dialect for dialect in dspy_harness.ADAPTERS if dspy_harness.find_adapter(dialect)],
        "default_dialect": "chat",
        "capabilities": CAPABILITIES + _list_offered(),
        # What else it does where the sources leave a choice may change from release to release; it is observed.
        "choices": {
            "max-steps-default": str(_default_steps()),
            "extraction": "none (submit)",
            "fallback": "forced submit",
        },
        "default_max_steps": _default_steps(),
        "deviations": dspy_harness.DEVIATIONS,
        # The adapters' own, and all of them again for the submit it forces.
        "retries": 2 * dspy_harness.count_retries() + 1,
    }


def _find_class():
    import dspy

    return dspy.ReActV2


def _list_offered():
    agent = _find_class()
    offered = {
        "declared-tools": True,
        "call-max-steps": "max_iters" in inspect.unwrap(agent.forward).__code__.co_consts,
        "async": hasattr(agent, "aforward"),
        "async-tools": hasattr(agent, "aforward"),
        "save-load": hasattr(agent, "dump_state") and hasattr(agent, "load_state"),
    }
    return [name for name, is_offered in offered.items() if is_offered]


def _default_steps():
    return inspect.signature(_find_class().__init__).parameters["max_iters"].default


class V2Agent(dspy_harness.Agent):
    """A constructed `dspy.ReActV2`, which has neither an extraction nor a trajectory."""

    OWN = {"reasoning", "history", "termination_reason"}

    def make_module(self, made, tools, options):
        """Return the `dspy.ReActV2` under test, with the limit of steps if the case sets one."""
        limits = {} if options["max_steps"] is None else {"max_iters": options["max_steps"]}
        return _find_class()(made, tools, **limits)

    def make_arguments(self, params):
        import dspy

        images = {field["name"] for field in self.signature["inputs"] if dspy_harness.is_image(field)}
        arguments = super().make_arguments(params)
        return {name: dspy.Image(value) if name in images else value for name, value in arguments.items()}

    def make_outcome(self, prediction):
        told = dspy_harness.make_plain(prediction.get("history"))
        history = told.get("messages") if isinstance(told, dict) else told
        outcome = super().make_outcome(prediction)
        return {**outcome, "history": history, "termination": prediction.get("termination_reason")}


if __name__ == "__main__":
    dspy_harness.serve_library("dspy", make_manifest, V2Agent, needed="ReActV2")
