"""What a subject claims, as far as episodes depend on it."""

from dataclasses import dataclass

from react_tck.model.manifest import Capability, Manifest

#: The clarification tool's name where the subject declares no other.
_CLARIFY = "user_clarification"


@dataclass(frozen=True)
class Reach:
    """Dialects and capabilities, and the name of the tool that asks the user."""

    dialects: tuple[str, ...]
    capabilities: tuple[Capability, ...]
    clarification_tool: str = _CLARIFY

    @classmethod
    def of(cls, manifest: Manifest) -> "Reach":
        """What a manifest claims."""
        clarify = manifest.choices.get("clarification-tool", _CLARIFY)
        return cls(manifest.dialects, manifest.capabilities, clarify)

    def has(self, *capabilities: Capability) -> bool:
        """Whether it claims all of these."""
        return set(capabilities) <= set(self.capabilities)
