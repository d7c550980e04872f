"""`react-tck list`: the selected scenarios, each under its requirement."""

import click
from rich.text import Text

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.registry import Registry, load_registry
from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.cli.arguments import selection, selection_options
from react_tck.reports.printing import terminal


@click.command()
@selection_options
def command(profile: str | None, tags: str | None, title: str | None) -> int:
    """List the selected scenarios under their requirements."""
    chosen = selection(profile, tags, title)
    registry = load_registry()
    scenarios = [scenario for scenario in load_features() if chosen.includes_scenario(scenario)]
    if not scenarios and not chosen.is_whole_profile:
        raise NothingSelected("No scenario fits the selection.")
    console = terminal()
    for line in _format_lines(registry, scenarios, chosen):
        console.print(line)
    return 0


def _format_lines(registry: Registry, scenarios: list[ScenarioInfo], chosen: Selection) -> list[Text]:
    lines: list[Text] = []
    for requirement in registry.requirements:
        mine = [scenario for scenario in scenarios if scenario.requirement_id == requirement.id]
        whole = chosen.is_whole_profile and chosen.profile in ("all", requirement.profile)
        if not mine and not whole:
            continue
        lines.append(Text(f"{requirement.id} {requirement.weight:<8} {requirement.sentence}", style="bold"))
        lines += [Text(f"    {scenario.title}") for scenario in mine]
        if waiting := requirement.pending or requirement.excluded:
            lines.append(Text(f"    {waiting}", style="dim"))
    return lines
