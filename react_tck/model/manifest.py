"""What a subject says about itself: its manifest before anything is asked of it, an instance when it is inspected."""

from collections.abc import Mapping

from pydantic import Field

from react_tck.adapter.declare import Capability
from react_tck.model.base import Value
from react_tck.model.case import Invocation, Options
from react_tck.model.requirement import Requirement, Specification, variants_of
from react_tck.model.signature import Form, Signature, parse_arrow

#: What a subject has to declare to be given a signature in a form, in the order in which they are tried.
SIGNATURE_FORMS: Mapping[Form, Capability] = {
    Form.ARROW: "arrow-signature",
    Form.CLASS: "class-signature",
    Form.VALUE: "value-signature",
}


#: What a subject has to be capable of to be what a specification speaks of; a `react-module` is capable of a loop.
SHOWN_BY: Mapping[Specification, Capability] = {
    "conversation": "conversation",
    "transcript": "transcript",
    "confirmation": "confirmation",
    "udspy": "udspy-surface",
}


#: The two predictors of a `react-module`, by the capabilities that show them; a tool-calling agent has none of them.
PREDICTORS: tuple[Capability, ...] = ("step-signature", "extraction")


#: Steps of a loop that nothing limits: more than any episode has.
UNLIMITED = 1_000_000


#: The built-in tool by which the agent asks the user, where the subject declares no other.
CLARIFY = "user_clarification"


class Manifest(Value):
    """Name, dialects, capabilities and declared choices. What isn't declared is *unsupported*, not failed."""

    name: str
    version: str
    language: str = "python"
    homepage: str = ""
    dialects: tuple[str, ...]
    #: The dialect spoken when no adapter is configured (ADP-003).
    default_dialect: str
    capabilities: tuple[Capability, ...] = ()
    #: The specifications whose sentences bind it; None where they follow from its capabilities.
    claims: tuple[Specification, ...] | None = None
    choices: dict[str, str] = Field(default_factory=dict)
    #: None where nothing limits the steps.
    default_max_steps: int | None
    #: The tool that takes the answer, in the dialect `native` and without an extraction; none if the answer is text.
    answer_tool: str | None = None
    #: Further LM requests a malformed reply may cost (ERR-008).
    retries: int = 0
    #: The types of the errors with which its parser refuses a reply (PRS-002).
    parse_errors: tuple[str, ...] = ()
    #: Regular expressions of what its texts say otherwise in each play, such as a time of day (SAN-009).
    varies: tuple[str, ...] = ()

    #: What the harness does otherwise than users of the library have it, each with the requirements that it can't judge
    #: by that, such as `ERR-012`, or rows of them, such as `ERR-012 [rate-limit]`.
    deviations: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def find_exemption(self, requirement: Requirement, title: str = "") -> str:
        """Say why a requirement isn't asked of the subject, or not in the row of that title; nothing, where it is."""
        for what, entries in self.deviations.items():
            for id_, _, rows in (entry.partition(" ") for entry in entries):
                if id_ == requirement.id and (not rows or title.endswith(f" {rows}")):
                    return f"the harness can't judge it, for it deviates: {what}"
        claims = self.claimed_specifications
        if not requirement.is_asked_of(claims):
            held = ", ".join(claims)
            return f"the subject isn't held to the specification {requirement.specification!r}, but to {held}"
        for each in map(variants_of, requirement.asked_of):
            if not set(each) & set(self.capabilities):
                return f"{self.name} does not declare {' or '.join(map(repr, each))}"
        unless = requirement.resolve_ground(claims, self.capabilities).unless
        chosen = (choice for choice, variant in unless.items() if self.choices.get(choice) == variant)
        return next((f"{self.name} declares the choice {one!r} as {self.choices[one]!r}" for one in chosen), "")

    @property
    def claimed_specifications(self) -> tuple[Specification, ...]:
        """The specifications whose sentences bind it: those it names, else the module's and what it is capable of."""
        if self.claims is not None:
            return self.claims
        able = (name for name, capability in SHOWN_BY.items() if capability in self.capabilities)
        return ("react-module", *able)

    @property
    def first_finish(self) -> str:
        """How a conversation is held that finishes before any step; nothing, where that isn't declared.

        S0 rules it out. S4, which lets `finish` be the first step, makes it a choice of who is held to both.
        """
        both = "react-module" in self.claimed_specifications
        return self.choices.get("finish-from-first-state", "") if both else "illegal"

    @property
    def lacking_predictors(self) -> tuple[Capability, ...]:
        """What a claimed `react-module` is made of, and the subject doesn't declare."""
        is_claimed = "react-module" in self.claimed_specifications
        return tuple(name for name in PREDICTORS if is_claimed and name not in self.capabilities)

    @property
    def clarification_tool(self) -> str:
        """The tool by which the agent asks the user (CNF-011)."""
        return self.choices.get("clarification-tool", CLARIFY)

    def max_steps(self, call: Invocation, options: Options) -> int:
        """Return how many steps a call may take."""
        return self.read_step_limit(call.find_step_limit(options))

    def read_step_limit(self, given: int | None) -> int:
        """Return how many steps a limit stands for: None for the default, and so does 0 where that is declared."""
        is_default = given is None or (given == 0 and self.choices.get("max-steps-zero") == "default")
        limit = self.default_max_steps if is_default else given
        return UNLIMITED if limit is None else limit

    @property
    def may_force_submit(self) -> bool:
        """Whether a run that breaks off may end by a submit that is asked for (`fallback`)."""
        return "forced submit" in self.choices.get("fallback", "forced submit")

    def steps_before_submit(self, call: Invocation, options: Options) -> int | None:
        """After how many steps of a call a submit may be what is asked for; None where it never is."""
        return self.max_steps(call, options) if self.may_force_submit else None

    def parse_signature(self, arrow: str) -> Signature:
        """Return what an arrow text says, in the first form declared, or it: SIG-001, 005 and 006 are about that."""
        declared = (form for form, capability in SIGNATURE_FORMS.items() if capability in self.capabilities)
        return parse_arrow(arrow).model_copy(update={"form": next(declared, Form.ARROW)})


class Fields(Value):
    """A signature's field names and instructions, as an instance shows them."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    instructions: str = ""


class Description(Value):
    """What an instance says when it is inspected (UDS-003): its tools with their descriptions, and its signatures.

    Built-in tools are among them; the signatures go by the names they have.
    """

    tools: dict[str, str]
    signatures: dict[str, Fields]
