"""What a tool gets of the args that the LM gave: the same (SAN-002), and models where it declares them (TOOL-009)."""

from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import variants_of
from react_tck.model.tool import Reads
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn
from react_tck.record.values import (
    Sameness,
    arrives_intact,
    fits_as_written,
    is_same_number,
    is_same_value,
    select_declared,
)


def find_changed_args(scene: Scene) -> Iterator[Violation]:
    """SAN-002: a tool gets the args the LM gave, converted only as it declares.

    Who makes args fit (`schema-mismatch`), or doesn't say what becomes of them, may take a truth for a number. What the
    LM may not have written as an object, and is sent as none, is the affair of ERR-002 to ERR-005; a key left out that
    the tool doesn't declare is ERR-004's, a person's edit that is ignored CNF-006's.
    """
    same = choose_sameness(scene.manifest)
    for turn in scene.turns:
        for name in list_tools_called(turn):
            tool = scene.tools.get(name)
            if tool is None:
                continue
            unedited = (call for call in turn.reply_calls if call not in turn.readings)
            given = [call.args for call in (*turn.readings, *unedited) if call.tool == name]
            fitting = [*given, *(select_declared(args, tool.parameters) for args in given)]
            for run in turn.find_runs(name):
                is_passed_on = run.refused is not None and turn.is_broken
                has_arrived = any(arrives_intact(args, run.received_args, tool.parameters, same) for args in fitting)
                if not is_passed_on and not has_arrived:
                    yield Violation(
                        f"{name!r} gets the args {_join_alternatives(given)}", f"it got {run.received_args}", run
                    )


def choose_sameness(manifest: Manifest) -> Sameness:
    """When what a tool got says the same as what the LM gave: by what the subject declares, a truth may be a number."""
    declared = manifest.choices.get("schema-mismatch", "coerce when lossless")
    return is_same_number if "coerce when lossless" in variants_of(declared) else is_same_value


def find_unread_models(scene: Scene) -> Iterator[Violation]:
    """TOOL-009: a tool that does nothing but read the fields of its models can, in args that fit.

    A tool of which there is a schema alone declares no models.
    """
    for run in scene.record.tool_runs:
        tool = scene.tools.get(run.tool)
        does_read = scene.episode.behaviours.get(run.tool) == (Reads(),)
        if not tool or tool.is_declared or not run.error or not does_read:
            continue
        if fits_as_written(run.args, tool.parameters):
            expected = f"{run.tool!r} can read its models in {run.args}"
            yield Violation(expected, f"it failed: {run.error}", run, "TOOL-009")


def list_tools_called(turn: Turn) -> list[str]:
    """Return the names of the tools that the LM called in a turn, each once."""
    return list(dict.fromkeys(call.tool for call in turn.calls))


def _join_alternatives(given: list[JsonObject]) -> str:
    return " or ".join(map(str, given))
