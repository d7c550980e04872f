"""How the LM is asked for replies, and what goes wrong with the first one."""

from react_tck.variations import changes, earlier
from react_tck.variations.exclusions import DIALECT_SAID, EVERYWHERE, NO_CONVERSATION, PERSON_ASKED
from react_tck.variations.variation import Declared, Exclusion, Variation


def _ask_in(dialect: str, *exclusions: Exclusion) -> Variation:
    return Variation(
        dialect,
        f"The adapter for {dialect!r} is configured for everything.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID, *exclusions),
        settles=("dialect",),
        needs=("global-adapter",),
        dialect=dialect,
        change_episode=changes.ask_in(dialect),
    )


def _ask_module_in(dialect: str, *exclusions: Exclusion) -> Variation:
    return Variation(
        f"own {dialect}",
        f"The module is given the adapter for {dialect!r}; none is configured for everything.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID, *exclusions),
        settles=("dialect",),
        needs=("module-adapter",),
        dialect=dialect,
        change_episode=changes.ask_module_in(dialect),
    )


def _change_to(name: str, dialect: str, *exclusions: Exclusion) -> Variation:
    return Variation(
        f"{name} later",
        f"The instance was called before; then the adapter for {dialect!r} was configured for everything.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID, PERSON_ASKED, *exclusions),
        # Nobody says which adapter a call is resumed under.
        settles=("dialect", "beginning", "person"),
        needs=("global-adapter",),
        dialect=dialect,
        begin_script=earlier.finish_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.change_adapter(dialect),
    )


VARIATIONS: tuple[Variation, ...] = (
    _ask_in("chat"),
    _ask_in("json"),
    _ask_in(
        "xml",
        Exclusion("XML has no control characters, and one line end", sentence=r"answers exactly .*\\(r|f|u0000)"),
        Exclusion("its form has null as it has a list of the text 'null'", sentence=r"list\[str\] \| None"),
    ),
    _ask_in("native", Exclusion("no adapter reads a native call, so that callbacks could hear of it", ("OBS-",))),
    _ask_module_in("json"),
    _change_to("JSON", "json"),
    _change_to("native", "native", Exclusion("no adapter reads a native call, for callbacks to hear of it", ("OBS-",))),
    Variation(
        "garbled first",
        "The first step is prose at first, and a step when it is asked for again.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, DIALECT_SAID),
        # How often a reply is asked for again is declared of the default dialect.
        settles=("dialect", "beginning"),
        needs_retries=True,
        begin_script=changes.garble_first,
    ),
    Variation(
        "failing first",
        "The LM's provider refuses the first request, for it is asked too often, and answers when it is asked again.",
        only=NO_CONVERSATION,
        exclusions=(*EVERYWHERE, Exclusion("sentences say how the LM fails", sentence="fails|the LM was asked")),
        settles=("beginning",),
        needs_choice=Declared("lm-fault", "retries [1-9]", "that a provider that has failed is asked again"),
        begin_script=changes.fail_first,
    ),
)
