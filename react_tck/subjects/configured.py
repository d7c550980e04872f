"""A harness as its `react-tck.toml` describes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_tck.model.manifest import Manifest
from react_tck.subjects.config import read_config
from react_tck.subjects.stdio import StdioSubject, Timeouts, started


@dataclass
class ConfiguredSubject(StdioSubject):
    """A harness whose author declares choices besides those of its manifest."""

    choices: Mapping[str, str] = field(default_factory=dict)

    def initialize(self) -> Manifest:
        """The manifest with the declared choices, which win.

        Raises:
            HarnessBroken: if there is no handshake.
        """
        manifest = super().initialize()
        return manifest.model_copy(update={"choices": {**manifest.choices, **self.choices}})


def subject(path: Path) -> ConfiguredSubject:
    """The subject of a file.

    Raises:
        ConfigError: if the file can't be understood.
    """
    config = read_config(path)
    start = started(config.command, str(path.absolute().parent / config.cwd))
    return ConfiguredSubject(start, Timeouts(**config.timeouts), config.choices)
