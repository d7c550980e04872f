"""What only the whole kit can check of a `react-tck.toml`: the names of choices, variants and profiles."""

from pathlib import Path

from react_tck.subjects.config import Config, ConfigError, read_config
from react_tck.suite.registry import load_registry


def load(path: Path) -> Config:
    """What the file says, every name in it known.

    Raises:
        ConfigError: if the file can't be read or understood, or names what there isn't.
    """
    config = read_config(path)
    _check_profile(path, config)
    for name, variant in config.choices.items():
        _check_choice(path, name, variant)
    return config


def _check_profile(path: Path, config: Config) -> None:
    profiles = (*load_registry().by_profile, "all")
    if config.profile not in (None, *profiles):
        known = ", ".join(profiles)
        raise ConfigError(f"{path}: [run] profile: there is no profile {config.profile!r}; there are {known}.")


def _check_choice(path: Path, name: str, variant: str) -> None:
    choices = load_registry().choices_by_name
    if name not in choices:
        raise ConfigError(f"{path}: [choices] there is no choice {name!r}; there are {', '.join(choices)}.")
    if not choices[name].allows(variant):
        known = ", ".join(repr(known) for known in choices[name].variants)
        raise ConfigError(f"{path}: [choices] {name} = {variant!r}; its variants are {known}.")
