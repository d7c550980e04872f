"""What a subject was seen to do at the choice points, beside what it declares: what to write, and where."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from react_tck.catalogue.registry import load_registry
from react_tck.judges.choices.declared import is_as_declared, is_reported_as_declared, write_choice_line
from react_tck.judges.choices.observers import DEFAULT_STEPS
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import OR, variants_of


class Contradiction(NamedTuple):
    """Something declared that was seen to be otherwise: the name it has, what is wrong, and the line that is right."""

    name: str
    sentence: str
    line: str


@dataclass(frozen=True)
class ObservedChoices:
    """What is declared, and the variants that were seen at each choice point."""

    declared: Manifest
    seen: Mapping[str, Collection[str]]

    @property
    def choices(self) -> dict[str, str]:
        """What to declare of each choice that was seen, as far as the sources allow it."""
        known = load_registry().choices_by_name
        found: dict[str, str] = {}
        for name, variants in sorted(self.seen.items()):
            allowed = [each for each in variants if known[name].allows_variant(each)]
            if allowed and name != DEFAULT_STEPS:
                found[name] = _describe_variants(self.declared.choices.get(name, ""), allowed)
        return found

    @property
    def manifest(self) -> Manifest:
        """The manifest as it should be; what nothing showed stays as it is declared."""
        return self.declared.model_copy(
            update={
                "choices": {**self.declared.choices, **self.choices},
                "retries": self._retries,
                "default_max_steps": self._default_steps,
            }
        )

    @property
    def contradictions(self) -> Iterator[Contradiction]:
        """Everything declared that was seen to be otherwise."""
        for name, variant in self.declared.choices.items():
            variants = self.seen.get(name, ())
            if name != DEFAULT_STEPS and not is_reported_as_declared(variant, variants):
                sentence = f"{name} is declared {variant!r}, but was seen to be {OR.join(sorted(variants))!r}"
                yield Contradiction(name, sentence, write_choice_line(name, variants))
        for name, number in {"retries": self._retries, "default_max_steps": self._default_steps}.items():
            said = getattr(self.declared, name)
            if number != said:
                yield Contradiction(
                    name, f"{name} is declared {said}, but was seen to be {number}", f"{name} = {number}"
                )

    @property
    def _retries(self) -> int:
        """The most often that a step was asked for again because its reply couldn't be read."""
        told = (re.match(r"retries (\d+)", variant) for variant in self.seen.get("malformed-reply", ()))
        return max((int(found[1]) for found in told if found), default=self.declared.retries)

    @property
    def _default_steps(self) -> int | None:
        return max(map(int, self.seen.get(DEFAULT_STEPS, ())), default=self.declared.default_max_steps)


def _describe_variants(declared: str, seen: Collection[str]) -> str:
    """Return what was seen, in the words in which it is declared if it says just that."""
    shown = {*seen, *(variant.partition(" in ")[0] for variant in seen)}
    is_all_seen = shown.issuperset(variants_of(declared)) and is_as_declared(declared, seen)
    return declared if is_all_seen else OR.join(sorted(seen))
