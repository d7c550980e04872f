"""What a tool gets of the args that the LM gave: the same (SAN-002, ERR-010), and models where declared (TOOL-009)."""

from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.dialects.notations import is_nothing, is_plain_json
from react_tck.judges.verdict import Violation
from react_tck.model.intent import BadArgs, CallTool
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of
from react_tck.model.tool import Reads, Tool, is_typed
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn
from react_tck.record.values import (
    Sameness,
    arrives_intact,
    fits_as_written,
    has_doubles_only,
    is_same_number,
    is_same_value,
    select_declared,
    unify_line_ends,
)
from react_tck.texts import read_json

#: The requirements that args arrive: nothing lost or made up; nothing changed at all; nothing that is no object.
_WHOLE, _UNCHANGED, _AS_OBJECT = "SAN-002", "ERR-010", "ERR-003"

#: Parameters with the names of those that pass args on by keyword: whether they are shown and run is TOOL-010's affair.
CLASHING = frozenset({"self", "name", "args", "kwargs", "instance", "config"})


def find_changed_args(scene: Scene) -> Iterator[Violation]:
    """SAN-002: a tool gets the args the LM gave, converted only as it declares."""
    yield from (found for found in _find_changes(scene) if found.requirement_id == _WHOLE)


def find_rewritten_args(scene: Scene) -> Iterator[Violation]:
    """Practices: line ends arrive as they are, and so does what args that aren't a JSON object certainly say."""
    yield from (found for found in _find_changes(scene) if found.requirement_id != _WHOLE)


def _find_requirement(asked: Asked | None) -> str:
    """Return the requirement that the args of a reply arrive: of those that are no JSON object practices speak."""
    if asked is None or not isinstance(asked.intent, BadArgs) or is_nothing(asked.intent.text):
        return _WHOLE
    if not is_plain_json(asked.intent.text):
        return _UNCHANGED
    return _WHOLE if isinstance(read_json(asked.intent.text), dict) else _AS_OBJECT


def _find_changes(scene: Scene) -> Iterator[Violation]:
    """Yield the runs with other args than those that the LM gave.

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
                got = run.received_args
                if is_passed_on or any(arrives_intact(args, got, tool.parameters, same) for args in fitting):
                    continue
                is_whole = any(arrives_but_for_line_ends(args, got, tool.parameters, same) for args in fitting)
                said = " or ".join(map(str, given))
                due = _UNCHANGED if is_whole else _find_requirement(turn.asked)
                yield Violation(f"{name!r} gets the args {said}", f"it got {got}", run, due)


def arrives_but_for_line_ends(
    given: JsonValue, value: JsonValue, schema: JsonValue, says_the_same: Sameness = is_same_value
) -> bool:
    """Whether a value arrived as it was given, or with other line ends."""
    given, value, schema = map(unify_line_ends, (given, value, schema))  # in the schema stand the defaults
    return arrives_intact(given, value, schema, says_the_same)


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


def nothing_forbids(scene: Scene, call: CallTool) -> bool:
    """Whether neither a practice (TOOL-001, TOOL-004, TOOL-005, TOOL-017) nor a choice decides that the tool runs."""
    tool = scene.tools.get(call.tool)
    if tool is None or not set(call.args) <= set(tool.parameter_names):
        return False
    is_plain = tool.callable_form == "function" and not (tool.is_async and scene.invocation.mode == "sync")
    is_plain = is_plain and not CLASHING & call.args.keys() and has_doubles_only(call.args)
    return is_plain and _is_annotated(tool) and fits_as_written(call.args, tool.parameters)


def _is_annotated(tool: Tool) -> bool:
    properties = tool.parameters.get("properties")
    return not isinstance(properties, dict) or all(map(is_typed, properties.values()))
