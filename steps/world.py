"""The world of one scenario: the episodes its sentences play, and the records they judge."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import JsonValue

from react_tck.adapter.declare import Capability
from react_tck.adapter.tools import TEAM_TOOLS
from react_tck.fakes.tools import TOOLBOX, describe_team_tool
from react_tck.judges.errors import find_hangs
from react_tck.judges.verdict import Unsupported, Violation
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options, Resumption
from react_tck.model.episode import Episode, make_nonce, mark_values
from react_tck.model.intent import Intent, Script
from react_tck.model.manifest import Description
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Record, Returned
from react_tck.model.signature import Field, Signature, parse_arrow
from react_tck.model.tool import Behaviour, Performs, Tool
from react_tck.play.again import is_settled, tell_team_tools
from react_tck.play.parsing import ParserReading
from react_tck.play.surroundings import Play
from react_tck.record.difference import RecordDifference
from react_tck.steps.plays import Past, VariedPlay, begin_play
from react_tck.subjects.api import OperationRefused, Subject
from react_tck.variations.change import Combination, Unvaried, list_other_marks

_TEXTS = ({"type": "string"}, {"type": "array", "items": {"type": "string"}})


@dataclass
class Arrangement:
    """The agent, its tools and how they behave, and what the LM will say."""

    signature: Signature = field(default_factory=lambda: parse_arrow("question -> answer"))
    tools: dict[str, Tool] = field(default_factory=dict)
    #: Tools whose names are among `tools` already (TOOL-005).
    namesakes: list[Tool] = field(default_factory=list)
    behaviours: dict[str, tuple[Behaviour, ...]] = field(default_factory=dict)
    steps: list[Intent] = field(default_factory=list)
    answers: list[Intent] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    #: A saved program to load.
    state: JsonValue = None

    def change_signature(self, **changes: Any) -> None:
        """Replace these attributes of the case's signature."""
        self.signature = self.signature.model_copy(update=changes)

    def set_options(self, **options: Any) -> None:
        """Set options of the case."""
        self.options = self.options.model_copy(update=options)

    def change_tool(self, name: str, **changes: Any) -> None:
        """Change a tool there is."""
        self.tools[name] = self.tools[name].model_copy(update=changes)

    def add_behaviour(self, tool: str, behaviour: Behaviour) -> None:
        """One more run of the tool; the last one stays. What is said of a team's own stands in its function's place."""
        earlier = self.behaviours.get(tool, ())
        self.behaviours[tool] = (*(() if earlier == (Performs(),) else earlier), behaviour)

    def find_queue(self, phase: str) -> list[Intent]:
        """What the LM will say to requests of a phase, `step` or `extraction`."""
        return {"step": self.steps, "extraction": self.answers}[phase]

    def marked_inputs(self, values: JsonObject, nonce: str) -> JsonObject:
        """Input values with the nonce on their texts."""
        return mark_values(values, nonce, _select_text_fields(self.signature.inputs))

    def marked_outputs(self, values: JsonObject, nonce: str) -> JsonObject:
        """Output values with the nonce on their texts."""
        return mark_values(values, nonce, _select_text_fields(self.signature.outputs))

    def make_episode(self, case_id: str, nonce: str) -> Episode:
        """The episode that is arranged, before any call."""
        case = Case(
            id=case_id,
            signature=self.signature,
            tools=(*self.tools.values(), *self.namesakes),
            options=self.options,
            state=self.state,
        )
        script = Script(steps=tuple(self.steps), answers=tuple(self.answers))
        return Episode(case=case, script=script, behaviours=self.behaviours, nonce=nonce)


def _select_text_fields(fields: tuple[Field, ...]) -> frozenset[str]:
    return frozenset(field.name for field in fields if field.json_schema in _TEXTS)


Told = TypeVar("Told")
Marked = TypeVar("Marked", Episode, Record)


class World:
    """One scenario's arrangement, sessions and observations.

    Texts among inputs, answers and default tool results carry the case's nonce, so the values in a sentence
    are marked (`marked_inputs`, `marked_outputs`) before they reach the subject or are compared.
    """

    def __init__(
        self, subject: Subject, subject_name: str, seed: int, case_id: str, variation: Combination | None = None
    ) -> None:
        self.subject = subject
        self.subject_name = subject_name
        self.manifest = subject.initialize()
        self.case_id = case_id
        self._seed = seed
        self.nonce = make_nonce(case_id, seed)
        self._variation = variation.narrow_to_subject(self.manifest) if variation else None
        if self._variation and self._variation.has_marks:
            self.nonce += f" {list_other_marks(self._variation.dialect or self.manifest.default_dialect)}"
        self.arrangement = Arrangement()
        #: Whether a team's own tools are among those that can be named.
        self.has_team_tools = False
        #: Replies that the subject's parser was given to read.
        self.readings: list[ParserReading] = []
        #: Whether a sentence has seen what it speaks of before the LM was asked: a refusal, what an instance tells.
        self.is_seen_unasked = False
        #: Why a sentence that holds has seen nothing of what it speaks of.
        self.unseen = ""
        #: What a subject mixed up between calls at once.
        self.mixed: tuple[str, ...] = ()
        #: How calls at once differ from the same calls made alone.
        self.differences: tuple[RecordDifference, ...] = ()
        #: The record of the latest resumption, made in a fresh process.
        self.resumed_afresh: Record | None = None
        self._plays: list[Play | Past] = []
        self._current: Play | None = None

    @property
    def requirement_id(self) -> str:
        """Of the requirement that the scenario is of, by which its case is called."""
        return self.case_id.partition("/")[0]

    # What Given sentences need.

    def have_tools(self, names: Iterable[str]) -> None:
        """Hand the subject these tools: a team's own in its own features, and those of the toolbox."""
        for name in names:
            if self.has_team_tools and name in TEAM_TOOLS:
                self.arrangement.tools[name] = describe_team_tool(name)
                self.arrangement.behaviours[name] = (Performs(),)
            else:
                self.arrangement.tools[name] = TOOLBOX[name]

    def needs(self, *capabilities: Capability) -> None:
        """Let the scenario go on only if the subject declares all of these.

        Raises:
            Unsupported: if it doesn't.
        """
        for capability in capabilities:
            if capability not in self.manifest.capabilities:
                raise Unsupported(f"{self.manifest.name} does not declare {capability!r}")

    def require_settled(self, episode: Episode) -> None:
        """Let two plays be held against each other only if the episode gives the same record whenever it is played.

        Raises:
            Unsupported: if it doesn't; that is told as SAN-009, and nothing else.
        """
        if not is_settled(self.subject, episode):
            raise Unsupported("nothing can be held against a case that differs from itself when it is played again")

    def needs_dialect(self, dialect: str) -> None:
        """Let the scenario go on only if the subject claims the dialect.

        Raises:
            Unsupported: if it doesn't.
        """
        if dialect not in self.manifest.dialects:
            raise Unsupported(f"{self.manifest.name} does not claim the dialect {dialect!r}")

    def marked_inputs(self, values: JsonObject) -> JsonObject:
        """Input values with the nonce on their texts."""
        return self.arrangement.marked_inputs(values, self.nonce)

    def marked_outputs(self, values: JsonObject) -> JsonObject:
        """Output values with the nonce on their texts."""
        return self.arrangement.marked_outputs(values, self.nonce)

    def mark_text(self, text: str) -> str:
        """A text of the LM's or of the user's with the nonce."""
        return f"{text} ~{self.nonce}"

    def make_thought(self) -> str:
        """A thought no other step of the scenario has."""
        return f"thought {len(self.arrangement.steps) + 1} ~{self.nonce}"

    # What When sentences do.

    def construct(self) -> Play:
        """Construct the subject from what is arranged, once until `start_over`."""
        if self._current is None:
            episode = self.arrangement.make_episode(self.case_id, self.nonce)
            self._current = begin_play(self.subject, episode, self._variation)
            self._plays.append(self._current)
        return self._current

    def call(self, inputs: JsonObject, **how: Any) -> Outcome:
        """Call the instance with these inputs (marked); `how` are further fields of the invocation.

        Raises:
            Violation: if the subject refused to be constructed.
        """
        return self.call_exactly(self.marked_inputs(inputs), **how)

    def call_exactly(self, inputs: JsonObject, **how: Any) -> Outcome:
        """The same, with inputs that aren't marked.

        Raises:
            Violation: if the subject refused to be constructed.
        """
        play = self.construct()
        if not play.session.is_constructed:
            raise Violation("the subject accepts the case", f"it refused: {self.record.refusal}")
        return play.make_call(Invocation(inputs=inputs, **how))

    def resume(self, resumption: Resumption) -> Outcome:
        """Resume the latest call.

        Raises:
            Violation: if it was never suspended.
        """
        if not any(outcome.suspension for outcome in self.record.outcomes):
            raise Violation("the call is suspended", f"it ended with status {self.outcome.status!r}")
        return self.construct().give_response(resumption)

    def status(self, confirmation_id: str) -> str:
        """What became of a confirmation, as the latest instance tells.

        Raises:
            Violation: if it doesn't.
        """
        return _ask_instance(
            "tells the status of a confirmation", lambda: self._latest_play.session.read_status(confirmation_id)
        )

    def describe(self) -> Description:
        """What the latest instance says of itself.

        Raises:
            Violation: if it says nothing.
        """
        told = _ask_instance("can be inspected", lambda: self._latest_play.session.describe_instance())
        self.is_seen_unasked = True
        return told

    def dump(self) -> JsonValue:
        """The state of the latest instance.

        Raises:
            Violation: if it gives none.
        """
        return _ask_instance("gives its state", lambda: self._latest_play.session.dump_state())

    def add_past_episode(self, past: Past) -> None:
        """An episode was played at one go; it is examined like any other.

        Raises:
            Unvaried: if a variation was to be played.
        """
        if self._variation:
            raise Unvaried("the episode is played at one go")
        self._plays.append(past)

    def start_over(self) -> None:
        """The next construction or call is of a new instance, in an episode of its own."""
        self._current = None

    @contextmanager
    def swap_arrangement(self, arrangement: Arrangement) -> Iterator[None]:
        """Play an episode of another arrangement, then go on with this one: its episode stays the latest."""
        mine, current, self.arrangement, self._current = self.arrangement, self._current, arrangement, None
        yield
        self.arrangement, self._current = mine, current
        if current:
            self._plays.remove(current)
            self._plays.append(current)

    @property
    def _latest_play(self) -> Play:
        return next(play for play in reversed(self._plays) if isinstance(play, Play))

    # What Then sentences look at.

    @property
    def record(self) -> Record:
        """The record of the latest episode."""
        return self._plays[-1].told[1]

    @property
    def episode(self) -> Episode:
        """The case, script and behaviours of the latest episode."""
        return self._plays[-1].told[0]

    @property
    def last_call(self) -> int:
        """The number of the last call, counted from 0: a call that is resumed stays the one it is."""
        return len(self.episode.case.invocations) - 1

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of all episodes of the scenario, in order."""
        return tuple(play.told[1] for play in self._plays)

    @property
    def outcome(self) -> Outcome:
        """The latest outcome.

        Raises:
            Violation: if no call came back.
        """
        outcomes = self.record.outcomes
        if not outcomes:
            raise next(find_hangs(self.record), Violation("the call comes back with an outcome", "it did not"))
        return outcomes[-1]

    @property
    def returned(self) -> Returned | None:
        """The event of the latest outcome: what is wrong with that is seen there, and not before."""
        return next((event for event in reversed(self.record.events) if isinstance(event, Returned)), None)

    @property
    def step_requests(self) -> tuple[Asked, ...]:
        """The requests of the latest episode that ask for a step."""
        return self._find_requests("step")

    @property
    def extraction_requests(self) -> tuple[Asked, ...]:
        """The requests of the latest episode that ask for the extraction."""
        return self._find_requests("extraction")

    def plays(self) -> Iterator[tuple[Episode, Record]]:
        """Every episode of the scenario with its record, as sentences see them."""
        for play in self._plays:
            episode, record = play.told
            yield tell_team_tools(episode, record), record

    @property
    def variation(self) -> Combination | None:
        """The variations that its episodes are played under: those of its title that the subject and the case allow."""
        return next((play.variation for play in self._plays if isinstance(play, VariedPlay)), self._variation)

    def list_unvaried(self) -> Iterator[tuple[Episode, Record]]:
        """The episodes that are played under a variation, as they are without it; and what came of them with it."""
        for play in self._plays:
            if isinstance(play, VariedPlay):
                yield self._strip_marks(play.unvaried), self._strip_marks(play.told[1])

    def _strip_marks(self, value: Marked) -> Marked:
        """The value without what a variation has its texts end with."""
        plain, text = make_nonce(self.case_id, self._seed), json.dumps(value.model_dump(mode="json"))
        text = text.replace(json.dumps(self.nonce)[1:-1], plain)
        return type(value).model_validate(json.loads(text))  # which reads half a surrogate pair, too

    def list_examined(self) -> Iterator[tuple[Episode, Record]]:
        """Every episode that the invariants of a single call can be held against."""
        for play in self._plays:
            if isinstance(play, Play) or not play.is_mixed_up:
                yield tell_team_tools(play.episode, play.record), play.record
            if isinstance(play, Play) and play.concurrent and play.concurrent.record:
                yield play.concurrent.episode, play.concurrent.record

    def _find_requests(self, phase: str) -> tuple[Asked, ...]:
        return tuple(asked for asked in self.record.requests if asked.ask and asked.ask.phase == phase)


def _ask_instance(what: str, operation: Callable[[], Told]) -> Told:
    try:
        return operation()
    except OperationRefused as error:
        raise Violation(f"the instance {what}", f"it says: {error}") from error
