"""Who says so, in sentences: the source's own words and where they stand, or what happens to a user."""

from collections.abc import Iterator

from react_tck.catalogue.registry import load_registry
from react_tck.model.requirement import Ground, Requirement, variants_of


def describe_grounds(requirement: Requirement) -> Iterator[str]:
    """Yield a sentence or two for its ground, and one for whom it binds otherwise."""
    yield from _describe_ground(requirement)
    if requirement.elsewhere:
        whom = f"without the capability `{requirement.needs}`" if requirement.needs else _name_others(requirement)
        ground = requirement.elsewhere
        yield f"{whom}: {ground.basis}, {ground.weight}: {_quote_ground(ground)}"
        yield from (f"{whom}: {said}" for said in _describe_exemptions(ground))
    if requirement.asked_of:
        needed = " and ".join(" or ".join(f"`{one}`" for one in variants_of(each)) for each in requirement.asked_of)
        yield f"it is asked of who declares {needed}"
    yield from _describe_exemptions(requirement)


def describe_history(requirement: Requirement) -> Iterator[str]:
    """Yield what it was in earlier revisions, the latest first."""
    for until in sorted(requirement.was, reverse=True):
        then = requirement.was[until]
        told = (then.level, then.where and f"citing {then.where}", then.sentence and f"“{then.sentence}”")
        yield f"until revision {until}: {', '.join(filter(None, told))}"


def describe_weights(requirement: Requirement) -> tuple[str, ...]:
    """Its basis, its level or severity, and whom it binds, such as `stated`, `MUST` and `react-module`."""
    told = (requirement.basis, requirement.weight, requirement.specification)
    return tuple(filter(None, told)) if requirement.basis else ("counts in no verdict",)


def _name_others(requirement: Requirement) -> str:
    return f"for who doesn't claim {requirement.specification}"


def _describe_ground(ground: Ground) -> Iterator[str]:
    match ground.basis:
        case "practice":
            yield f"no source says it, but without it: {ground.harm}"
        case "stated" | "follows":
            yield f"{ground.where} ({load_registry().sources[ground.source]}) says: {_quote_ground(ground)}"
            if ground.because:
                yield f"from that it follows: {ground.because}"
        case None:
            yield "it counts in no verdict"


def _describe_exemptions(ground: Ground) -> Iterator[str]:
    for choice, variant in ground.unless.items():
        yield f"it isn't asked of who declares the choice `{choice}` as `{variant}`"


def _quote_ground(ground: Ground) -> str:
    return ground.harm or f"“{ground.quote}”"
