"""What a subject claims, as far as episodes depend on it."""

from dataclasses import dataclass

from react_tck.model.manifest import CLARIFY, Capability, Manifest


@dataclass(frozen=True)
class Reach:
    """Dialects and capabilities, and the name of the tool that asks the user."""

    dialects: tuple[str, ...]
    capabilities: tuple[Capability, ...]
    clarification_tool: str = CLARIFY

    @classmethod
    def of(cls, manifest: Manifest) -> "Reach":
        """Return the reach that a manifest claims: its dialects, capabilities and clarification tool."""
        return cls(manifest.dialects, manifest.capabilities, manifest.clarification_tool)

    def has(self, *capabilities: Capability) -> bool:
        """Tell whether it claims all of these."""
        return set(capabilities) <= set(self.capabilities)
