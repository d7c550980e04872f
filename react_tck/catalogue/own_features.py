"""Features that somebody has written about their own agent: the tags of their scenarios say what they require.

`@ACME-001 @must` above a scenario makes it one of the requirement ACME-001. Its sentence is that of the `Rule:`, or the
scenario's title; its profile is tagged as the kit's are, and else `core`.
"""

import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import get_args

from react_tck.catalogue.feature_files import FeatureError
from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.registry import Registry, load_registry, requirements_of
from react_tck.model.requirement import ID_PATTERN, Level, Requirement

_LEVELS: Mapping[str, Level] = {level.lower(): level for level in get_args(Level)}


def is_own_id(id_: str) -> bool:
    """Whether it is the id of a requirement that isn't the kit's: its first letters are none of the kit's areas."""
    return bool(ID_PATTERN.fullmatch(id_)) and id_.partition("-")[0] not in load_registry().areas


@cache
def registry_with(features: Path, revision: int | None) -> Registry:
    """Return the kit's requirements as of a revision, and those of the features in a folder, or in a file.

    Raises:
        FeatureError: if a feature can't be read.
    """
    return requirements_of(revision).with_own(_build_requirements(load_features(features)))


def _build_requirements(scenarios: Sequence[ScenarioInfo]) -> Iterator[Requirement]:
    """One for each id, as the first of its scenarios has it."""
    first = {scenario.requirement_id: scenario for scenario in reversed(scenarios) if scenario.requirement_id}
    for id_, scenario in sorted(first.items(), key=lambda entry: scenarios.index(entry[1])):
        sentence = " ".join((scenario.rule or scenario.title).split())
        if is_own_id(id_):
            yield Requirement(
                id=id_,
                basis="stated",
                level=next((_LEVELS[tag] for tag in scenario.level_tags if tag in _LEVELS), "MUST"),
                profile=scenario.profile,
                sentence=sentence,
                quote=sentence,
                where=scenario.path.name,
                since=1,
            )


def import_team_tools(features: Path) -> Iterator[FeatureError]:
    """Import the `conftest.py` beside the features and the one above, as pytest does; yield what can't be imported."""
    folder = (features if features.is_dir() else features.parent).resolve()
    loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for file in (place / "conftest.py" for place in (folder.parent, folder)):
        spec = spec_from_file_location(str(file), file)
        if str(file) in loaded or not file.is_file() or spec is None or spec.loader is None:
            continue
        module = sys.modules[str(file)] = module_from_spec(spec)
        sys.path.insert(0, str(file.parent))
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del sys.modules[str(file)]
            own = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == str(file)]
            line = own[-1] if own and own[-1] else getattr(error, "lineno", None) or 1
            yield FeatureError(file, line, f"it can't be imported: {type(error).__name__}: {error}")
        finally:
            sys.path.remove(str(file.parent))
