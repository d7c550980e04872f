"""What one scenario is held against: each check yields the line and the message of what is wrong."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import get_args

from react_tck.adapter.tools import TEAM_TOOLS
from react_tck.catalogue.features import PROFILES, ExamplesInfo, ScenarioInfo, StepInfo, StepType
from react_tck.catalogue.kill_matrix import KillMatrix
from react_tck.catalogue.own_features import is_own_id
from react_tck.catalogue.registry import Registry
from react_tck.catalogue.sentences import load_step_sentences
from react_tck.fakes.tools import TOOLBOX, TeamToolWrong, describe_team_tool
from react_tck.model.requirement import ID_PATTERN, LEVEL_TAGS, OWN_LEVEL_TAGS, SINCE_PATTERN, Requirement
from react_tck.steps.language import NAMES, read_names

#: A value in a sentence, or its place.
_VALUE = re.compile(r'"[^"]*"|\{.*\}|\[.*\]|<\w+>|\d+')
#: Where a tool gets its name: it is one of the toolbox or of a team's own, or the scenario describes it.
_HANDED_TOOLS = re.compile(rf"(?:an?(?:other)? .* with )?the tools? (?P<names>{NAMES})(?: was constructed before)?")
_DESCRIBED_TOOL = re.compile(rf"the tool (?P<names>{NAMES}) described as .*")
#: Where something is said of a tool that the scenario has; that one never ran may be said of any.
_SPOKEN_OF = re.compile(
    rf"(?:it refused [^,]*, or )?(?:the tools?|every step request shows the arguments of) (?P<names>{NAMES})"
    " (?!never ran|ran at most once).*"
)
_EXPRESSION = re.compile(r'the answer matches "(.*)"')
_PLACEHOLDER = re.compile(r"<(.+?)>")
_KNOWN_TAGS = (*PROFILES, *LEVEL_TAGS, "smoke", "since-2", "since-3")


@dataclass(frozen=True)
class Standard:
    """What a scenario is held against."""

    root: Path
    registry: Registry
    matching: Callable[[StepType, str], Sequence[str]]
    mutants: Collection[str]
    kill_matrix: KillMatrix


#: What a check has to say: a line of the scenario's file, and a message.
Finding = tuple[int, str]
Check = Callable[[ScenarioInfo, Standard], Iterator[Finding]]


def _find_requirement(scenario: ScenarioInfo, standard: Standard) -> Requirement | None:
    return standard.registry.by_id.get(scenario.requirement_id or "")


def suggest_name(name: str, known: Collection[str]) -> str:
    """Return what was perhaps meant, to be added to a message."""
    close = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(names)


def _check_requirement_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    match scenario.requirement_ids:
        case ():
            yield scenario.line, "the scenario has no requirement id; give it exactly one, like @LOOP-001"
        case (id_,):
            yield from ((scenario.line, message) for message in _find_registry_conflicts(id_, standard.registry))
        case ids:
            yield scenario.line, f"the scenario has {len(ids)} requirement ids, {_join_names(ids)}; keep one"


def _find_registry_conflicts(id_: str, registry: Registry) -> Iterator[str]:
    requirement = registry.by_id.get(id_)
    if requirement is None:
        yield f"requirement {id_} is not in the registry"
    elif requirement.pending:
        yield f"{id_} has a scenario, yet is pending in the registry: {requirement.pending}"
    elif requirement.excluded:
        yield f"{id_} has a scenario, yet is excluded in the registry: {requirement.excluded}"


def _check_own_requirement_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    match scenario.requirement_ids:
        case ():
            yield scenario.line, "the scenario has no requirement id; give it one of your own, like @ACME-001"
        case (id_,) if not is_own_id(id_):
            area = id_.partition("-")[0]
            yield scenario.line, f"{area} is an area of the kit's requirements; own ids begin otherwise, like @ACME-001"
        case (id_,):
            first = standard.registry.by_id[id_]
            if scenario.profile != first.profile:
                message = f"{id_} is in the profile {first.profile} where it first stands, {scenario.profile} here"
                yield scenario.line, message
        case ids:
            yield scenario.line, f"the scenario has {len(ids)} requirement ids, {_join_names(ids)}; keep one"


def _check_own_level_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    first = _find_requirement(scenario, standard)
    found = [tag for tag in scenario.level_tags if tag in OWN_LEVEL_TAGS]
    if len(found) != 1 or len(scenario.level_tags) != 1:
        yield scenario.line, _describe_level_tags(scenario, OWN_LEVEL_TAGS)
    elif first and found[0] != first.tag:
        yield scenario.line, f"{first.id} is @{first.tag} where it first stands, @{found[0]} here"


def _describe_level_tags(scenario: ScenarioInfo, allowed: Sequence[str]) -> str:
    """Return what is wrong about how many level tags the scenario has."""
    found = scenario.level_tags
    tags = f"{len(found)} level tags" if len(found) > 1 else f"the level tag @{found[0]}" if found else "no level tag"
    return f"the scenario has {tags}; give it one of @{', @'.join(allowed)}"


def _check_level_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    found, requirement = scenario.level_tags, _find_requirement(scenario, standard)
    if len(found) != 1:
        yield scenario.line, _describe_level_tags(scenario, LEVEL_TAGS)
    elif requirement and found[0] != requirement.tag:
        yield scenario.line, f"{requirement.id} is @{requirement.tag} by the registry, @{found[0]} here"


def _check_folder(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    requirement = _find_requirement(scenario, standard)
    folder = scenario.path.relative_to(standard.root).parts[0]
    if requirement and folder not in _list_home_profiles(requirement):
        yield scenario.line, f"{requirement.id} belongs into the folder {requirement.profile}/ of its profile"


def _check_profile_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    requirement = _find_requirement(scenario, standard)
    tags = [tag for tag in scenario.tags if tag in PROFILES]
    if requirement and (len(tags) != 1 or tags[0] not in _list_home_profiles(requirement)):
        found = _join_names([f"@{tag}" for tag in tags]) or "none"
        wanted = f"{requirement.id} needs @{requirement.profile} on its feature or rule"
        yield scenario.line, f"{wanted}; the profile tags are: {found}"


def _list_home_profiles(requirement: Requirement) -> tuple[str, ...]:
    """Return the profiles a requirement's scenarios may live in; a sanitizer's also in core and robustness."""
    return ("sanitizer", "core", "robustness") if requirement.is_sanitizer else (requirement.profile,)


def _check_rule(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if scenario.rule is None:
        yield scenario.line, "the scenario is under no Rule:; a rule states the requirement it tests"


def _check_outcome(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if not any(step.type == "then" for step in scenario.steps if not step.from_background):
        yield scenario.line, "the scenario has no Then; it would pass whatever happens"


def _check_kills(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    if _find_requirement(scenario, standard) and not standard.kill_matrix.killed_by(scenario):
        yield (
            scenario.line,
            "no mutant is known that the scenario kills; write one, and run python -m react_tck.prove --write",
        )


def _check_since_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    """Yield a scenario newer than its requirement, or than the whole of which that was, says since when it is there."""
    requirement = _find_requirement(scenario, standard)
    if scenario.since is None or requirement is None:
        return
    whole = requirement
    while whole.split_from:
        whole = standard.registry.by_id[whole.split_from]
    if not whole.since < scenario.since <= standard.registry.revision:
        known = f"{whole.id} is there since revision {whole.since} of {standard.registry.revision}"
        yield scenario.line, f"@since-{scenario.since} is for scenarios newer than their requirement, and {known}"


def _check_known_tags(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    for tag in scenario.tags:
        if tag not in _KNOWN_TAGS and not ID_PATTERN.fullmatch(tag) and not SINCE_PATTERN.fullmatch(tag):
            yield scenario.line, f"unknown tag @{tag}{suggest_name(tag, _KNOWN_TAGS)}"


def _check_docstrings(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    for step in scenario.steps:
        if step.docstring_line is not None:
            yield (
                step.docstring_line,
                "no step takes a docstring; put the text in a table or a fault name",
            )


def _check_steps(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    for row in scenario.rows:
        for step in row.steps:
            yield from ((step.line, message) for message in _find_step_problems(step, standard))


def _find_step_problems(step: StepInfo, standard: Standard) -> Iterator[str]:
    found = standard.matching(step.type, step.text)
    shown = f"{step.type.capitalize()} {step.text}"
    if not found:
        yield f"undefined step: {shown}{_explain_undefined(step)}"
    elif len(found) > 1:
        yield f"ambiguous step: {shown}; it matches {_join_names(found)}"
    elif expression := _EXPRESSION.fullmatch(step.text):
        try:
            re.compile(expression[1])
        except re.error as error:
            yield f"the regular expression is wrong: {error}"


def _explain_undefined(step: StepInfo) -> str:
    """Return what is wrong with the JSON in it, or else the sentence that it is nearly one of."""
    begin = min((at for at in map(step.text.find, "{[") if at >= 0), default=None)
    if begin is not None:
        try:
            JSONDecoder().raw_decode(step.text, begin)
        except JSONDecodeError as error:
            return f"; its JSON is wrong after {step.text[begin : error.pos]!r}: {error.msg}"
    sentences = (each.text for each in load_step_sentences() if each.type in (step.type, None))
    known = {_VALUE.sub("…", text): text for text in sentences}
    near = get_close_matches(_VALUE.sub("…", step.text), known, n=1, cutoff=0.8)
    return "".join(f"; is this meant: {known[each]}?" for each in near)


def find_wrong_tools(scenario: ScenarioInfo, _: Standard | None = None) -> Iterator[Finding]:
    """Yield tools that nobody knows, and what is said of one that the scenario hasn't been given."""
    for row in scenario.rows:
        names: set[str] = set()
        for step in row.steps:
            if step.text == "the tools:":
                names |= {dict(zip(step.table[0], cells, strict=False)).get("name", "") for cells in step.table[1:]}
            elif found := _HANDED_TOOLS.fullmatch(step.text) or _DESCRIBED_TOOL.fullmatch(step.text):
                handed = read_names(found["names"])
                names.update(handed)
                if found.re is _HANDED_TOOLS:
                    yield from ((step.line, wrong) for wrong in filter(None, map(_describe_unknown_tool, handed)))
            elif found := _SPOKEN_OF.fullmatch(step.text):
                for name in read_names(found["names"]):
                    if name not in names:
                        has = f"the scenario has {_join_names(sorted(names)) or 'no tool'} so far, and no {name!r}"
                        yield step.line, f"{has}{suggest_name(name, names)}"


def _describe_unknown_tool(name: str) -> str:
    """Return what is wrong with a tool's name, if anything is."""
    if name in TEAM_TOOLS:
        try:
            describe_team_tool(name)
        except TeamToolWrong as error:
            return str(error)
    if name in TEAM_TOOLS or name in TOOLBOX:
        return ""
    yours = f", nor among yours ({_join_names(sorted(TEAM_TOOLS))})" if TEAM_TOOLS else ""
    known = f"there is no tool {name!r} in the toolbox ({_join_names(list(TOOLBOX))}){yours}"
    own = "One of your own is a function under `@react_tck.tool` in conftest.py, or in a table below `the tools:`"
    return f"{known}{suggest_name(name, {*TOOLBOX, *TEAM_TOOLS})} {own}"


def _check_misspelt_steps(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    # Gherkin takes whatever stands before the first step for a description, a misspelt step too.
    for line in scenario.description.splitlines():
        text = line.strip().partition(" ")[2]
        if any(standard.matching(type_, text) for type_ in get_args(StepType)):
            yield scenario.line, f"this is read as a description, not as a step: {line.strip()}"


def _check_outline(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if scenario.is_outline and not scenario.examples:
        yield scenario.line, "the outline has no Examples:"
    cells = (cell for step in scenario.steps for row in step.table for cell in row)
    used = find_placeholders(scenario.title, *(step.text for step in scenario.steps), *cells)
    for table in scenario.examples:
        yield from ((table.line, message) for message in _find_table_problems(table, used))


def find_placeholders(*texts: str) -> tuple[str, ...]:
    """Return the `<name>`s in some texts, each once, in order."""
    return tuple(dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text)))


def _find_table_problems(table: ExamplesInfo, used: Sequence[str]) -> Iterator[str]:
    if not table.rows:
        yield "the examples have no row"
    if table.tags:
        yield f"the examples have tags, {_join_names(table.tags)}; the kit reads those of the scenario only"
    for name in used:
        if name not in table.columns:
            yield f"the examples have no column for <{name}>"
    for column in dict.fromkeys(table.columns):
        if column not in used:
            yield f"no step uses the column {column!r}"
        if table.columns.count(column) > 1:
            yield f"the examples have the column {column!r} twice"


CHECKS: tuple[Check, ...] = (
    _check_requirement_tag,
    _check_level_tag,
    _check_folder,
    _check_profile_tag,
    _check_rule,
    _check_outcome,
    _check_kills,
    _check_known_tags,
    _check_since_tag,
    _check_docstrings,
    _check_steps,
    _check_misspelt_steps,
    _check_outline,
)
#: What somebody's own features are held against: their tags are their own, and no mutant is asked for.
OWN_CHECKS: tuple[Check, ...] = (
    _check_own_requirement_tag,
    _check_own_level_tag,
    _check_outcome,
    _check_docstrings,
    _check_steps,
    find_wrong_tools,
    _check_misspelt_steps,
    _check_outline,
)
